/** Shortcuts through worlds of fewer and of more passages than the presets have. */
import { describeShortcuts } from './shortcuts';

describeShortcuts(3);
describeShortcuts(5);
