/** Rows of data in the page: opened beside a module, and asked for by a link that names them. */
import { expect, test } from 'vitest';
import { ownConfig } from '../environments/own';
import { rowsModule, rowsText } from '../environments/rows-module';
import { withRows } from '../../src/config/rows';
import { runLink } from '../../src/config/run-link';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { openDialog, press, write } from '../helpers/environment-dialog';
import { longMs, patienceMs, resumeLatestRun, shortLink, trainButton, untilReady, untilStatus } from '../helpers/lab';

const fileOf = (name: string, text: string) => ({ name, mimeType: 'application/jsonl', buffer: Buffer.from(text) });
const rows = rowsText(400, 'x'.repeat(100));

test('a module is checked with the rows that were opened beside it', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink() });
  await untilReady(page);
  const { dialog, code, report } = await openDialog(page);
  await write(code, rowsModule);
  await press(dialog, 'Check');
  await report.getByText('Problem', { exact: true }).first().waitFor({ timeout: patienceMs });
  const input = dialog.getByLabel('Rows of data (JSON lines or CSV)');
  await input.setInputFiles(fileOf('bad.jsonl', '{"q":"a"}\nno\n'));
  await press(dialog, 'Check');
  await report.getByText('Line 2 of bad.jsonl is not JSON: column 1 cannot be read.').waitFor({ timeout: patienceMs });
  await input.setInputFiles(fileOf('bad.csv', 'q,a\n1\n'));
  await dialog.getByText('Line 2 of bad.csv has 1 values, and the first line names 2.').waitFor();
  await input.setInputFiles(fileOf('data.jsonl', rowsText(60)));
  await dialog.getByText('data.jsonl, ').waitFor();
  await press(dialog, 'Check');
  await report.getByText('The demonstration solves 32 of 32 tasks.').waitFor({ timeout: patienceMs });
  await expectAccessibleEverywhere(page, 'rows stand beside a module');
  // By key: a click waits for two frames, which a page that was just resized may not draw for long on a loaded machine.
  await dialog.getByRole('button', { name: 'Remove the rows' }).press('Enter');
  await dialog.getByText('data.jsonl, ').waitFor({ state: 'detached' });
});

test(
  'a link that names its rows asks for the file, refuses another, trains with it, and its saved run has it',
  { timeout: longMs },
  async () => {
    const config = await withRows(
      ownConfig(rowsModule, (base) => ({
        ...base,
        iterations: 2,
        device: 'cpu',
        model: { ...base.model, layers: 1, width: 32, mlpWidth: 32 },
        warmStart: { ...base.warmStart, demonstrations: 16, steps: 4, batch: 8, recorded: false },
        rollout: { ...base.rollout, tasks: 2, group: 4, maxTurns: 2 },
        evaluation: { tasks: 8, every: 2 },
      })),
      rows,
    );
    const page = await openPage({ hash: `#/lab?${await runLink(config, null)}` });
    const panel = page.getByRole('region', { name: 'This run needs a file' });
    await panel.getByText('made from a file of 400 rows (SHA-256 ').waitFor({ timeout: patienceMs });
    expect(await trainButton(page).isEnabled()).toBe(false);
    await expectAccessibleEverywhere(page, 'a link names rows that are missing');
    const input = panel.getByLabel('Open the file of rows');
    await input.setInputFiles(fileOf('other.jsonl', rowsText(500)));
    await panel.getByText('and other.jsonl are 500 rows').waitFor({ timeout: patienceMs });
    await input.setInputFiles(fileOf('data.jsonl', rows));
    await panel.waitFor({ state: 'detached', timeout: patienceMs });
    await expect.poll(() => trainButton(page).isEnabled(), { timeout: patienceMs }).toBe(true);
    await trainButton(page).click();
    await untilStatus(page, /^Finished/);

    await page.reload();
    await resumeLatestRun(page);
    await untilStatus(page, /^Finished/);
  },
);
