/** Browsers without WebGPU: the CPU trains, answers, shares and resumes, and its runs are the same bits elsewhere. */
import { expect, inject, test } from 'vitest';
import { decodeLink } from '../../src/share/link';
import { openPage } from '../helpers/browser';
import {
  button,
  longMs,
  measuredDevice,
  openMenu,
  openChat,
  openShare,
  patienceMs,
  untilReady,
  untilStatus,
} from '../helpers/lab';
import { expectNotice } from '../helpers/notices';
import { expectTrainingOnCpu, inWorker, miniLink, openWithout } from '../helpers/without-webgpu';

const steps = 3;
const link = `${miniLink}&steps=${steps}&seed=5`;

test('without an adapter, a run begins from its recorded warm start on the CPU', { timeout: longMs }, () =>
  expectTrainingOnCpu('no adapter'),
);

test(
  'a run on the CPU is talked to, resumed and shared; its link reproduces it without and beside a GPU',
  { timeout: 2 * longMs },
  async () => {
    const page = await openWithout('no api', { hash: link });
    await button(page, 'Iterate').click();
    await untilStatus(page, /^Paused · iteration 1\//);
    await (await openChat(page)).fill('3+4');
    await page.keyboard.press('Enter');
    const chat = page.getByRole('log', { name: 'Chat' });
    await expect.poll(() => chat.innerText(), { timeout: patienceMs }).toMatch(/Agent, iteration 1\s+\S/);
    await page.getByText('saved at iteration 1').waitFor({ timeout: patienceMs });
    await page.reload();
    const banner = await expectNotice(page, /can go on: iteration 1 of 3/, ['Resume']);
    await untilReady(page);
    await banner.getByRole('button', { name: 'Resume' }).click();
    await untilStatus(page, /^Finished/);
    const shared = await openShare(page);
    expect(shared).toContain('device=cpu');
    expect((await decodeLink(shared)).adapter).toBe('CPU (WebAssembly SIMD)');
    const hash = shared.slice(inject('siteUrl').length);

    for (const open of [() => openWithout('no adapter', { hash }), () => openBesideGpu(hash)]) {
      const colleague = await open();
      const choice = colleague.getByLabel('Train on', { exact: true });
      expect(await choice.inputValue()).toBe('cpu');
      await button(colleague, 'Run it here').click();
      await untilStatus(colleague, /^Finished/);
      await colleague
        .getByText(`Same run: the first ${steps} iterations match bit for bit (the link holds ${steps}).`)
        .waitFor({ timeout: patienceMs });
    }
  },
);

/** The adapter here is software; by its name it is a GPU, which the link makes no use of. */
async function openBesideGpu(hash: string) {
  const facts = "{ isFallbackAdapter: false, vendor: 'a', architecture: 'real', device: '', description: 'GPU' }";
  const rename = `for (const [name, value] of Object.entries(${facts}))
    Object.defineProperty(GPUAdapterInfo.prototype, name, { get: () => value });`;
  const page = await openPage({ hash, before: (opening) => inWorker(opening, rename) });
  await untilReady(page);
  await page.getByText('It was made on the CPU, so the CPU is chosen here too').waitFor();
  return page;
}

test(
  'the choice of a device stands in the address, and GPU stays a choice beside a software adapter',
  { timeout: longMs },
  async () => {
    let loads = 0;
    const page = await openPage({
      before: async (opening) =>
        opening.on('request', (request) => (loads += Number(request.url().includes('cpu-kernels')))),
    });
    await untilReady(page);
    expect(loads, 'loads of the CPU kernels').toBe(1);
    expect(await measuredDevice(page).innerText(), 'a number that nobody needs').toBe('Runs on your CPU');
    const choice = page.getByLabel('Train on', { exact: true });
    expect(await choice.locator('option').allInnerTexts()).toEqual(['Automatic', 'GPU (software, slow)', 'CPU']);
    await openMenu(page);
    await choice.selectOption('gpu');
    const gpu = measuredDevice(page).filter({ hasText: /^Runs on your GPU · \S/ });
    await gpu.waitFor({ timeout: patienceMs });
    await expect.poll(() => page.url()).toContain('device=gpu');
    await page.reload();
    await untilReady(page);
    expect(await choice.inputValue()).toBe('gpu');
    expect(loads, 'loads of the CPU kernels, of which a GPU needs none').toBe(1);
  },
);
