import { TypedTextSchema } from './card-number.ts';
import { MAX_LETTER, MAX_NAME, MAX_NOTE } from './limits.ts';

/** The name that a person gives to something. */
export const NameSchema = TypedTextSchema.trim().min(1).max(MAX_NAME);

/** Why a person does something. */
export const ReasonSchema = TypedTextSchema.trim().min(1).max(MAX_NOTE);

/** A note that a person adds; it may be empty. */
export const NoteSchema = TypedTextSchema.trim().max(MAX_NOTE);

/** A complaint or its answer. */
export const LetterSchema = TypedTextSchema.trim().min(1).max(MAX_LETTER);
