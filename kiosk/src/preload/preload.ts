import { ipcRenderer } from 'electron';
import { BEAT_EVERY_MS, SHELL_CHANNELS } from '../main/shell-channels.ts';
import { beatOf } from './beat-of.ts';

// Nothing is put into the page's own world: it needs nothing of the shell. This one shares its thread, so that it falls
// silent when the page hangs, and sees what is on the screen.
setInterval(() => ipcRenderer.send(SHELL_CHANNELS.beat, beatOf(document)), BEAT_EVERY_MS);
