/** Files: what the page keeps for use offline, the editor's own part, recordings, and what a run is saved as. */
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { chatTasks, chatWith } from '../../../src/rl/rollouts/chat';
import { openDevice, openSandbox } from '../../../src/cli/engine';
import { quietHooks } from '../../../src/cli/recorded-start';
import { Sampler } from '../../../src/model/sampler';
import { readCheckpointHead, restoreCheckpoint } from '../../../src/rl/checkpoint';
import { Trainer } from '../../../src/rl/trainer';
import { atMost, mustBe, unlimited, type Row } from './row';
import { loadedKb, patienceMs, press, saveAs, train, untilReady, type Visits } from './visit';

const questions = ['3+4', '12*7', '19-8', '6*6', '2+18'];

export async function files(visits: Visits): Promise<Row[]> {
  return [...recordings(), await editorPart(visits), ...(await keptOffline(visits)), ...(await saved(visits))];
}

function recordings(): Row[] {
  const folder = 'public/recordings';
  const sizes = readdirSync(folder).map((file) => statSync(`${folder}/${file}`).size);
  return [atMost(`the largest of ${sizes.length} recordings, unpacked`, Math.max(...sizes) / 1000, 150, ' kB')];
}

/** Until code can be written. What is offered while somebody types comes after it. */
async function editorPart(visits: Visits): Promise<Row> {
  const page = await visits.open('#/lab');
  await untilReady(page);
  await page.waitForLoadState('networkidle');
  const open = async () => {
    await press(page, 'Your own environment…');
    await page.getByLabel('Code of the environment (JavaScript)').waitFor({ timeout: patienceMs });
    await page.waitForLoadState('networkidle');
  };
  const kb = await loadedKb(page, open, /\/sdk-/);
  await page.context().close();
  return atMost('the editor, loaded when it opens', kb, 170, ' kB');
}

/**
 * Gzip of every file that the service worker names: the page's own, the JavaScript engine that environments run in, and
 * the data that it replays and starts from.
 */
async function keptOffline(visits: Visits): Promise<Row[]> {
  const worker = await (await fetch(`${visits.url}sw.js`)).text();
  const names = [...worker.matchAll(/"url":"([^"]+)"/g)].map(([, name]) => name);
  const sizes = { page: 0, engine: 0, data: 0 };
  for (const name of names) {
    const body = Buffer.from(await (await fetch(visits.url + name)).arrayBuffer());
    sizes[partOf(name)] += gzipSync(body, { level: 9 }).length / 1000;
  }
  return [
    atMost('kept for offline use: the page itself', sizes.page, 900, ' kB'),
    unlimited('kept for offline use: the engine of environments', sizes.engine, ' kB'),
    unlimited('kept for offline use: recordings, warm starts, results', sizes.data, ' kB'),
  ];
}

function partOf(name: string): 'page' | 'engine' | 'data' {
  if (/^(recordings|checkpoints|results)\//.test(name)) return 'data';
  return name.includes('quickjs') ? 'engine' : 'page';
}

/** A whole run, its replay opened from the disk, and its weights in another process. */
async function saved(visits: Visits): Promise<Row[]> {
  const page = await visits.open('#/lab?v=1&preset=calculator-mini&device=cpu');
  await train(page, /^Finished/);
  const html = await saveAs(page, 'Replay');
  const weights = await saveAs(page, 'Weights');
  const answers: string[] = [];
  for (const question of questions) answers.push(await answerOf(page, question));
  const opened = await replayStatus(page, html);
  const again = await answersOf(weights);
  const htmlKb = statSync(html).size / 1000;
  await page.context().close();
  const equal = again.filter((answer, i) => answer === answers[i]).length;
  return [
    atMost('the replay of a run as one file', htmlKb, 1000, ' kB'),
    mustBe('the replay opened from the disk', opened, 'iteration 14 / 14'),
    mustBe(
      'greedy answers of the saved weights',
      `${equal} of ${questions.length} equal`,
      `${questions.length} of ${questions.length} equal`,
    ),
  ];
}

async function answerOf(page: Page, question: string): Promise<string> {
  await page.getByRole('tab', { name: 'Chat', exact: true }).click();
  const box = page.getByRole('textbox', { name: 'Message the agent' });
  await box.fill(question);
  await box.press('Enter');
  const log = page.getByRole('log', { name: 'Chat' });
  await log.getByText('answering…').waitFor({ state: 'detached', timeout: patienceMs });
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  return (await log.locator('.reply').last().locator('.answer').textContent()) ?? '';
}

/** A browser keeps a download under a name without an ending, and would show it as text. */
async function replayStatus(page: Page, path: string): Promise<string> {
  copyFileSync(path, `${path}.html`);
  const context = await page.context().browser()!.newContext();
  const replay = await context.newPage();
  await replay.goto(pathToFileURL(`${path}.html`).href);
  const status = await replay.getByRole('status').textContent();
  await context.close();
  return status?.match(/iteration \d+ \/ \d+/)?.[0] ?? 'nothing';
}

async function answersOf(path: string): Promise<string[]> {
  const file = readFileSync(path);
  const { config, source } = readCheckpointHead(file);
  const device = await openDevice('cpu');
  const trainer = await Trainer.create(device, await openSandbox(), config, source, quietHooks);
  restoreCheckpoint(trainer, file);
  const { setup, store } = trainer;
  const sampler = new Sampler(device, store, setup.model, { slots: 1, contextLength: config.model.context });
  await device.compiled();
  const tasks = await chatTasks(setup);
  const answers: string[] = [];
  for (const question of questions)
    await chatWith(
      setup,
      tasks,
      sampler,
      question,
      (event) => event.type === 'done' && answers.push(event.answer ?? ''),
    );
  device.destroy();
  return answers;
}
