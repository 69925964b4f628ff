/** Words of `index.html`; `cli/build/translation-plugin.ts` puts them there. */

export const text = {
  title: 'Agentlet – train a tool-using agent in your browser',
  description:
    'Watch a small language agent learn to call tools by reinforcement learning, on your own GPU or CPU, in this ' +
    'tab. Train it, read its rollouts token by token, talk to it, share the run as a link.',
  /** Where a link to the page is shown. */
  linkDescription:
    'End-to-end reinforcement learning of small language agents, on WebGPU or the CPU. Nothing to install, nothing ' +
    'leaves the tab.',
  withoutScript: 'Agentlet trains its agents with JavaScript in this tab. Allow JavaScript for this page to begin.',
} as const;
