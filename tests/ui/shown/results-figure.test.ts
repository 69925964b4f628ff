// @vitest-environment dom
/** The figure of a lesson that shows rows of a measured table. */
import { expect, it, vi } from 'vitest';
import ResultsFigure from '../../../src/ui/pages/learn/figures/ResultsFigure.svelte';
import { show } from '../../helpers/dom/shown';
import { stubPage } from '../../helpers/fake-trainer';
import { sampleResults } from '../../helpers/results';
import { soon } from '../../helpers/soon';

stubPage();

it('has rows of a measured table with their spread, or says that the table is not here', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return url.endsWith('sample.json') ? Response.json(sampleResults) : new Response('', { status: 404 });
  });
  const of = async (table: string) => {
    const figure = { kind: 'results', table, rows: ['ppo', 'unknown', 'rag', 'gspo'] } as const;
    const shown = show(ResultsFigure, { figure });
    const first = shown.says;
    await soon(async () => {
      await shown.settled();
      expect(shown.says).not.toEqual(first);
    });
    return shown.says;
  };
  expect(await of('sample')).toMatchInlineSnapshot(`
    [
      "region "A sample"",
      "Run | Unseen tasks solved | Turns | Seeds",
      "PPO | 75 % 50 to 100 % (range) | 2.00 | 2",
      "Naive RAG | 13 % | 2.00 | 1",
      "GSPO | – |  | 1",
      "Measured: “A sample”, engine 0.2.0, Jan 2, 2026.",
    ]
  `);
  expect(await of('gone')).toMatchInlineSnapshot(`
    [
      "warning: The table could not be loaded. Is the connection gone? Reload when it is back.",
    ]
  `);
  expect(asked.slice(0, 2)).toMatchInlineSnapshot(`
    [
      "/results/sample.json",
      "/results/gone.json",
    ]
  `);
});
