/** The tool-call formats a run config can name. */
import { compact } from './compact';
import { hermes } from './hermes';
import type { ToolFormat } from './tool-format';

export const toolFormats: Readonly<Record<ToolFormat['name'], ToolFormat>> = { compact, hermes };
