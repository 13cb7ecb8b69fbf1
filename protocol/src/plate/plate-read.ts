import { z } from 'zod';
import { type UtcTime, UtcTimeSchema } from '../base/utc-time.ts';

/**
 * The direction in which the vehicle moved, as the camera saw it: towards the camera, away from it, or not
 * known.
 */
export const TravelSchema = z.enum(['approaching', 'leaving', 'unknown']);
export type Travel = z.infer<typeof TravelSchema>;

export const PlateCandidateSchema = z.strictObject({
  /** Normalised. */
  plate: z.string().min(1),
  score: z.number().min(0).max(1),
});

/** The box of the plate in the camera's picture, in units of the maker's own. */
export const PlateBoxSchema = z.strictObject({
  x: z.number(),
  y: z.number(),
  width: z.number().positive(),
  height: z.number().positive(),
});
export type PlateBox = z.infer<typeof PlateBoxSchema>;

/** The read of one vehicle by one camera. */
export const PlateReadSchema = z
  .strictObject({
    /** Normalised; null where the camera saw a vehicle and could not read a plate. */
    plate: z.string().min(1).nullable(),
    /** The camera's own text, untouched. */
    plateRaw: z.string(),
    /** The camera's confidence, 0 to 1; 0 for an unreadable plate. */
    score: z.number().min(0).max(1),
    /** ISO 3166 alpha-2, upper case, where the camera knows it. */
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable(),
    direction: TravelSchema,
    /** The camera's own zone in which it saw the vehicle, as the camera names it; absent: it reports none. */
    cameraZone: z.string().min(1).max(200).optional(),
    /**
     * The time by the camera's clock, which may be wrong: for people and to distinguish events, never for
     * decisions.
     */
    capturedAt: UtcTimeSchema.nullable(),
    /**
     * Same for the same event of the same device, however often it is sent. Some makers give it to every document about
     * one vehicle, the later ones with a better plate: see `keysToStore`.
     */
    eventKey: z.string().min(1),
    /**
     * Keys of the same sighting under other names (an OpenALPR group's `uuids`); reads that share one are one passage.
     */
    relatedKeys: z.array(z.string().min(1)),
    /** The candidates for the plate, best first, the plate itself included. */
    candidates: z.array(PlateCandidateSchema),
    /** The document is marked as old (sent again, from a buffer, after the vehicle had passed). */
    late: z.boolean(),
    /** The camera reports that the vehicle stands still in its view. */
    parked: z.boolean(),
    /** Absent: the camera does not report it. */
    box: PlateBoxSchema.optional(),
  })
  .meta({ id: 'PlateRead' });
export type PlateRead = z.infer<typeof PlateReadSchema>;

/** A picture that came with a document. */
export interface ReadPicture {
  kind: 'overview' | 'vehicle' | 'plate';
  contentType: 'image/jpeg' | 'image/png';
  /** The picture in base64, as the document contained it. */
  base64: string;
}

/** The contents of a camera's document. */
export interface CameraDocument {
  /** The kind of document, in the maker's own word, for the log. */
  kind: string;
  reads: PlateRead[];
  /** The document is a sign of life. */
  heartbeat: boolean;
  /** When the camera sent it, by its own clock; only heartbeats have it. */
  sentAt?: UtcTime;
  /** Pictures of the first read. */
  pictures: ReadPicture[];
  /** It sums up a vehicle that has passed: a sender that posts nothing else opens no gate. */
  summary?: boolean;
  /** The faults of unusable parts, for the installer; absent: none. */
  faults?: readonly string[];
}

/** The parts of a document beside its body. */
export interface DocumentContext {
  /** HTTP headers, names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** IANA zone of times that a camera writes without an offset; UTC where not given. */
  timeZone?: string;
  /** The time of arrival, by our clock. It identifies a document that has neither an id nor a time. */
  receivedAt?: UtcTime;
  /** The parts that were left out while it arrived; absent or null: none. */
  shortening?: Shortening | null;
}

/** Why a camera's document was not taken. */
export interface DocumentRefusal {
  reason: 'malformed' | 'unknown-kind' | 'wrong-shape';
  /** The mistake for the technician: what is wrong, and where. */
  message: string;
}

/**
 * A maker's format: bytes in, reads out. Pure; never throws, whatever the bytes.
 */
export type DocumentParser = (
  body: Uint8Array,
  context: DocumentContext,
) => { ok: true; document: CameraDocument } | { ok: false; refusal: DocumentRefusal };

/** The parts that were left out of a document that is too large. */
export interface Shortening {
  droppedBytes: number;
  /** Even without its large pictures it was too large: its end is missing. */
  isCut: boolean;
}
