/**
 * Names of what passes between the page's process and the shell; all of them. Without schemas, since the preload
 * script carries along whatever it imports.
 */
export const SHELL_CHANNELS = {
  /** Preload → shell, each few seconds: a `Beat`. */
  beat: 'hlid:beat',
  /** Preload → shell: somebody waits for a picture of the screen, under this id. */
  picture: 'hlid:picture',
} as const;

/** A page that says nothing for longer than some of these is taken for dead. */
export const BEAT_EVERY_MS = 5000;
