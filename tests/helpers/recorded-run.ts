/** The recorded run of a preset, as its file and as the page reads it. */
import { readFileSync } from 'node:fs';
import { unpackRecording, type RecordingFile } from '../../src/share/recording-file';
import type { RecordedRun } from '../../src/ui/state/run/recordings.svelte';

export const recordingText = (preset: string): string => readFileSync(`public/recordings/${preset}.json`, 'utf8');

export const recordedRun = (preset: string): RecordedRun =>
  unpackRecording(JSON.parse(recordingText(preset)) as RecordingFile) as RecordedRun;
