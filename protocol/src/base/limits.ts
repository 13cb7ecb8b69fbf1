/** Lane boards in one stream: more than a control room watches at once. */
export const MAX_BOARDS = 50;

/** The longest texts that people may type, in characters (UTF-16), for the schemas and for the forms. */
export const MAX_NAME = 200;
/** A reason, or a note about something that was done. */
export const MAX_NOTE = 500;
/** A letter, such as a complaint and its answer. */
export const MAX_LETTER = 2000;
export const MAX_URL = 2000;
