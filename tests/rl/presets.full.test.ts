/** Every preset on 48 tasks of each split, with demonstrations in every tool format. */
import { toolFormatNames } from '../../src/text/tool-formats/by-name';
import { testPresets } from './preset-promises';

testPresets(48, toolFormatNames);
