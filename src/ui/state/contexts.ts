/** The parts of the page's state, for the components under `App`: each asks for the parts that it needs. */
import { createContext } from 'svelte';
import type { Failures, Notices } from '../base/notices.svelte';
import type { Commands } from './commands';
import type { DisplayedRun } from './run/displayed-run.svelte';
import type { LiveRun } from './run/live-run.svelte';
import type { Recordings } from './run/recordings.svelte';
import type { SavedRunsView } from './run/saved-runs.svelte';
import type { HubModels } from './setup/hub-models.svelte';
import type { OwnEnvironment } from './setup/own-environment.svelte';
import type { PretrainedModels } from './setup/pretrained-models.svelte';
import type { Setup } from './setup/setup.svelte';
import type { TabRun } from './tab-run.svelte';
import type { TrainerState } from './trainer-state.svelte';
import type { Workspace } from './workspace.svelte';

/** The trainer: its devices, and what it answers without a run. */
export const [getTrainer, setTrainer] = createContext<TrainerState>();

/** The run of this tab, to read: its events and the orders alone write it. */
export const [getRun, setRun] =
  createContext<Readonly<Omit<LiveRun, 'take' | 'tell' | 'expect' | 'clear' | 'loseAgent'>>>();
/** The displayed run: that of this tab, a recorded one, or that of a link's author. */
export const [getShown, setShown] = createContext<DisplayedRun>();
export const [getCommands, setCommands] = createContext<Commands>();
export const [getRecordings, setRecordings] = createContext<Recordings>();
/** What joins those: status, chat, tokens, drawings, addresses. */
export const [getTabRun, setTabRun] = createContext<TabRun>();

export const [getSetup, setSetup] = createContext<Setup>();
/** The environment that the visitor writes. */
export const [getOwn, setOwn] = createContext<OwnEnvironment>();
export const [getModels, setModels] = createContext<PretrainedModels>();
export const [getHub, setHub] = createContext<HubModels>();
/** The list of kept runs. */
export const [getSaved, setSaved] = createContext<SavedRunsView>();
export const [getNotices, setNotices] = createContext<Notices>();
export const [getFailures, setFailures] = createContext<Failures>();
/** The rest of what belongs to the visitor: the queue, the open Lab's actions, the dialog that the address asks for. */
export const [getWorkspace, setWorkspace] = createContext<Workspace>();

interface Parts {
  readonly trainer: TrainerState;
  readonly tabRun: TabRun;
  readonly workspace: Workspace;
}

/** Gives the parts to the components under the one that calls it. */
export function provide({ trainer, tabRun, workspace }: Parts): void {
  setTrainer(trainer);
  setRun(tabRun.run);
  setShown(tabRun.shown);
  setCommands(tabRun.commands);
  setRecordings(tabRun.recordings);
  setTabRun(tabRun);
  setSetup(workspace.setup);
  setOwn(workspace.own);
  setModels(workspace.models);
  setHub(workspace.hub);
  setSaved(workspace.saved);
  setNotices(workspace.notices);
  setFailures(workspace.failures);
  setWorkspace(workspace);
}
