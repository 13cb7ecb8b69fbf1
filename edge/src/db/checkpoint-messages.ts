/** A message to the checkpoint thread: write the log back into the database, or close it and end. */
export type ToCheckpointThread = 'checkpoint' | 'end';

/** A message from the thread: it has started, or the checkpoint is done as far as possible. */
export type FromCheckpointThread = 'ready' | 'done';
