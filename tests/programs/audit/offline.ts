/** The second visit, without a connection, and whether the page says that it keeps everything to itself. */
import { untilKept } from '../../helpers/offline';
import { mustBe, type Row } from './row';
import { press, untilReady, untilStatus, type Visits } from './visit';

export async function offlineVisit(visits: Visits): Promise<Row[]> {
  const page = await visits.open('#/', { serviceWorkers: 'allow' });
  await untilKept(page);
  await page.context().setOffline(true);
  await page.goto(`${visits.url}#/lab?v=1&preset=calculator-mini&device=cpu`);
  await page.reload();
  await untilReady(page);
  await press(page, 'Iterate');
  await untilStatus(page, /^Paused/);
  const said = await page.getByRole('banner').getByText('nothing leaves this tab').isVisible();
  await page.context().close();
  return [
    mustBe('second visit without a connection', 'trains', 'trains'),
    mustBe('what leaves the tab', said ? 'nothing, says the page' : 'not said', 'nothing, says the page'),
  ];
}
