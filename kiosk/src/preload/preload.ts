import { ipcRenderer } from 'electron';
import { BEAT_EVERY_MS, SHELL_CHANNELS } from '../main/shell-channels.ts';
import { beatOf } from './beat-of.ts';

// The page's own world gets nothing: it does not need the shell. This one shares its thread, so that it falls
// silent when the page hangs, and sees the content of the screen.
setInterval(() => ipcRenderer.send(SHELL_CHANNELS.beat, beatOf(document)), BEAT_EVERY_MS);

// The page writes the id of a picture that support has requested into `data-picture` of the document.
window.addEventListener('DOMContentLoaded', () => {
  const { documentElement } = document;
  documentElement.dataset['shell'] = 'hlid';
  new MutationObserver(() => {
    const { picture } = documentElement.dataset;
    if (picture !== undefined) ipcRenderer.send(SHELL_CHANNELS.picture, picture);
  }).observe(documentElement, { attributeFilter: ['data-picture'] });
});
