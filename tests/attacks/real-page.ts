/** The real page with the probe in it, and a watch on everything that leaves or shows itself while items run. */
import type { Page } from '@playwright/test';
import { inject } from 'vitest';
import { openPage, type PageOptions } from '../helpers/browser';
import { untilReady } from '../helpers/lab';
import type { LinkCase, Opened } from './link-item';
import type { Observed } from './tool-item';

const presets = '(calculator|calculator-mini|multi-hop|bandit)';
/** What the page loads when it first shows the tokens of a rollout, or the source of a foreign environment. */
const laterParts = '(Tokens|rollout-tokens|AuthorPanel|SourceView|Lines|line-svg)';
const ownFiles = new RegExp(
  `/(icon-[\\w-]+\\.svg|recordings/${presets}\\.json|assets/scenes-${presets}-[\\w-]+\\.json|` +
    `assets/${laterParts}-[\\w-]+\\.(js|css))$`,
);

export class AttackedPage {
  /** What happened that must not: requests of any scheme, sockets, dialogs, other pages, navigations. */
  private seen: string[] = [];

  private constructor(readonly page: Page) {}

  /**
   * Opens the page, loads the probe, and waits until the page is quiet. The test that calls this fails for faults of
   * the page, too.
   */
  static async open(options: PageOptions = {}): Promise<AttackedPage> {
    const page = await openPage({ reducedMotion: 'reduce', ...options });
    const attacked = new AttackedPage(page);
    attacked.watch();
    await untilReady(page);
    await attacked.call('start()');
    await attacked.untilQuiet();
    return attacked;
  }

  run(code: string, accepted: readonly string[]): Promise<Observed> {
    return this.call(`run(${JSON.stringify(code)}, ${JSON.stringify(accepted)})`);
  }

  open({ link }: LinkCase): Promise<Opened> {
    return this.call(`openLink(${JSON.stringify(link)})`);
  }

  /** Opens the link as a visitor would; going there is no trace. */
  async visit(link: string): Promise<void> {
    await this.call(`visit(${JSON.stringify(link)})`);
    this.seen = this.seen.filter((trace) => !/^a frame went to .*#\/lab/.test(trace));
  }

  stored(): Promise<string[]> {
    return this.call('stored()');
  }

  /** What must not have happened since this was last asked. */
  async traces(): Promise<string[]> {
    const changed = await this.call<string[]>('realmChanges()');
    const hidden = await this.page.evaluate(() => ('__xss' in window ? ['window.__xss is set'] : []));
    return [...this.seen.splice(0), ...changed.map((path) => `${path} of the page was changed`), ...hidden];
  }

  // As text, since the test runner would rewrite the import of a function.
  private call<T>(expression: string): Promise<T> {
    const probe = JSON.stringify(new URL('attacks-probe.js', inject('siteUrl')).href);
    return this.page.evaluate<T>(`import(${probe}).then((probe) => probe.${expression})`);
  }

  /** Forgets what the page itself did, once it did nothing for two seconds: its sandbox opens after it is ready. */
  private async untilQuiet(): Promise<void> {
    do {
      this.seen = [];
      await this.page.waitForTimeout(2000);
    } while (this.seen.length > 0);
  }

  private watch(): void {
    const context = this.page.context();
    context.on('request', (request) => {
      // Chromium reads the page's own icon again whenever the address changes, and the page fetches the recording of a
      // preset of its own, and its drawings, and loads the parts of the page that are first shown.
      if (!ownFiles.test(request.url())) this.seen.push(`a request was made: ${request.url().slice(0, 200)}`);
    });
    context.on('page', (page) => this.seen.push(`a page was opened: ${page.url()}`));
    context.on('dialog', (dialog) => {
      this.seen.push(`a dialog was opened: ${dialog.message()}`);
      void dialog.dismiss();
    });
    this.page.on('websocket', (socket) => this.seen.push(`a socket was opened: ${socket.url()}`));
    this.page.on('download', (download) => this.seen.push(`a download began: ${download.url()}`));
    this.page.on('framenavigated', (frame) => this.seen.push(`a frame went to ${frame.url().slice(0, 200)}`));
  }
}
