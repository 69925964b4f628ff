/**
 * Shortcuts through worlds of as many passages as the presets have; of fewer and of more:
 * multi-hop-shortcuts.full.test.ts.
 */
import { describeShortcuts } from './shortcuts';

describeShortcuts(4);
