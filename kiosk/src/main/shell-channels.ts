/**
 * Names of what passes between the page's process and the shell; all of them. Without schemas, since the preload
 * script carries along whatever it imports.
 */
export const SHELL_CHANNELS = {
  /** Preload → shell, each few seconds: a `Beat`. */
  beat: 'hlid:beat',
  /** Preload → shell: a picture of the screen is requested, under this id. */
  picture: 'hlid:picture',
} as const;

/** The interval of beats. After several missing ones the page is considered dead. */
export const BEAT_EVERY_MS = 5000;
