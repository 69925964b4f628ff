// @vitest-environment dom
/** The health of a run: a row for each diagnostic, and the parts of the gradient under its norm. */
import { expect, it } from 'vitest';
import HealthPanel from '../../../src/ui/view/health/HealthPanel.svelte';
import { summaryOf } from '../../../src/presentation/health/words';
import { statuses } from '../../../src/share/health';
import { metricsRow } from '../../helpers/metrics-row';
import { show } from '../../helpers/dom/shown';

it('the norm of the gradient is told by its parts, and nothing else is', () => {
  const metrics = [1, 2, 3].map((iteration) =>
    metricsRow(iteration, {
      gradientNorm: iteration,
      diagnostics: { partNorms: { attention: 0.5, mlp: iteration } } as never,
    }),
  );
  const checks = statuses(metrics);
  const shown = show(HealthPanel, { metrics, statuses: checks, summary: summaryOf(checks) });
  const rows = shown.all('li').filter((row) => row.querySelector('h3'));
  const withParts = rows.filter((row) => row.querySelectorAll('li').length > 0);
  expect(withParts.map((row) => row.querySelector('h3')!.textContent)).toMatchInlineSnapshot(`
    [
      "Gradient norm",
    ]
  `);
  expect(withParts[0].querySelectorAll('li').length).toBe(2);
  expect(rows.length).toBeGreaterThan(3);
});
