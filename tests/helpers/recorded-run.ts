/** The recorded run of a preset, as the page reads it. */
import { readFileSync } from 'node:fs';
import { unpackRecording, type RecordingFile } from '../../src/share/recording-file';
import type { RecordedRun } from '../../src/ui/lab/recordings.svelte';

export const recordedRun = (preset: string): RecordedRun =>
  unpackRecording(JSON.parse(readFileSync(`public/recordings/${preset}.json`, 'utf8')) as RecordingFile) as RecordedRun;
