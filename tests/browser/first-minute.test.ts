/** The first minute: an agent that fails is trained above the gallery, is seen learning, and leads on to the Lab. */
import { expect, test } from 'vitest';
import { expectAccessible, openPage } from '../helpers/browser';
import { enter } from '../helpers/keyboard';
import { button, longMs, patienceMs } from '../helpers/lab';

test('one press trains the agent beside its curve, and leads on to the Lab', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/', gpu: 'no adapter' });
  const first = page.getByRole('region', { name: /^Work out an expression with a calculator/ });
  await first.getByRole('img', { name: /Answer: / }).waitFor({ timeout: patienceMs });
  await first.getByText('✗ wrong').waitFor();
  await first.getByText(/^At first this small agent solves 14\s% of new tasks\./).waitFor();
  await enter(page, button(page, 'Train it here'));
  await first.getByText(/^Success in practice: \d+\s% at first, \d+\s% now$/).waitFor({ timeout: longMs });
  await first.getByText(/^RL iteration \d+\/40/).waitFor({ timeout: patienceMs });
  expect(await page.evaluate(() => location.hash), 'nobody is taken elsewhere').toBe('#/');
  await expectAccessible(page, 'the first agent learns');
  await enter(page, first.getByRole('link', { name: 'See how it learns' }));
  await page.getByRole('heading', { level: 2, name: 'Your run' }).waitFor({ timeout: patienceMs });
  await button(page, 'Pause').click();

  await page.getByRole('link', { name: 'Worlds' }).click();
  await first.getByText(/^Paused/).waitFor({ timeout: patienceMs });
});
