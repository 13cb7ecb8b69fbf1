/** To the thread of the checkpoints: bring the log into the database, or close it and end. */
export type ToCheckpointThread = 'checkpoint' | 'end';

/** From it: it is there; what was asked is done, as far as it could be. */
export type FromCheckpointThread = 'ready' | 'done';
