/** Every tool-call format, by its name in a config. Whatever lists formats reads this table. */
import { compact } from './compact';
import { hermes } from './hermes';
import { retool } from './retool';
import type { ToolFormat } from './tool-format';

const table = { compact, hermes, retool };

export type ToolFormatName = keyof typeof table;

export const toolFormats: Readonly<Record<ToolFormatName, ToolFormat>> = table;

export const toolFormatNames = Object.keys(table) as [ToolFormatName, ...ToolFormatName[]];
