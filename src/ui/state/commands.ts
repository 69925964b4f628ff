/**
 * The table of commands: what the page can do to its run and to the Lab, and why it cannot do it now. Buttons, keys,
 * the palette and tests read it.
 */
import type { LabActions } from '../base/shortcuts';
import { command, type Command, type RunCommands } from './run/run-commands.svelte';
import { text } from './run/text';
import type { Setup } from './setup/setup.svelte';

export type Commands = ReturnType<typeof commandTable>;

/** @param actions what the open Lab does; null while another page is open */
export function commandTable(run: RunCommands, setup: Setup, actions: () => LabActions | null) {
  const { why } = text;
  const inLab = (act: (lab: LabActions) => void, reason: (lab: LabActions) => string | null = () => null): Command =>
    command(
      () => {
        const lab = actions();
        return lab ? reason(lab) : why.otherPage;
      },
      () => act(actions()!),
    );
  const { train, pause, step, reset, extend, resume, branch, changeReward } = run;
  return {
    train,
    pause,
    /** The button in two roles. */
    get trainOrPause(): Command {
      return run.isBusy ? pause : train;
    },
    step,
    reset,
    extend,
    resume,
    branch,
    changeReward,
    chat: inLab(({ chat }) => chat()),
    settings: inLab(
      ({ settings }) => settings?.(),
      ({ settings }) => (settings ? null : why.hidden),
    ),
    edit: inLab(({ edit }) => edit()),
    play: inLab(
      ({ play }) => play(),
      () => (setup.config ? null : why.notReady),
    ),
    share: inLab(
      ({ share }) => share(),
      () => (setup.config ? null : why.notReady),
    ),
    fit: inLab(({ fit }) => fit()),
  };
}
