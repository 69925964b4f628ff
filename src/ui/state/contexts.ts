/** The three parts of the page's state, for the components under `App`: each asks for the part that it needs. */
import { createContext } from 'svelte';
import type { TabRun } from './tab-run.svelte';
import type { TrainerState } from './trainer-state.svelte';
import type { Workspace } from './workspace.svelte';

/** The trainer: its devices, and what it answers without a run. */
export const [getTrainer, setTrainer] = createContext<TrainerState>();
/** The run of this tab, the displayed run, and the commands for them. */
export const [getTabRun, setTabRun] = createContext<TabRun>();
/** The setup, the kept and queued runs, notices and failures. */
export const [getWorkspace, setWorkspace] = createContext<Workspace>();
