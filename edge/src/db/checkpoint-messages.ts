/** To the checkpoint thread: write the log back into the database, or close it and end. */
export type ToCheckpointThread = 'checkpoint' | 'end';

/** From it: it has started; the checkpoint is done, as far as possible. */
export type FromCheckpointThread = 'ready' | 'done';
