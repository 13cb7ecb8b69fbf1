import { createHash, randomUUID } from 'node:crypto';
import { parseXml, type XmlElement } from '@hlid/protocol/base/xml';
import { z } from 'zod';
import {
  matchCall,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderRequest,
  ProviderServer,
  readJson,
} from './provider-server.ts';

type Operation = 'submit' | 'status';

const PARTICIPANT = /^iso6523-actorid-upis::(\d{4}:[\w.-]{1,50})$/;
const DOCUMENT_TYPE =
  /^busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:(Invoice|CreditNote)-2::\1##(.+)::2\.1$/;
const PROCESS = /^cenbii-procid-ubl::(.+)$/;
const KENNITALA = /^0196:\d{10}$/;
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;
const BOUNDS = {
  maxCharacters: 10_000_000,
  maxElements: 200_000,
  maxDepth: 20,
  maxBlanks: 10_000_000,
  maxMarks: 1_000_000,
};

const EnvelopeSchema = z.strictObject({
  sender: z.string().regex(PARTICIPANT),
  receiver: z.string().regex(PARTICIPANT),
  documentType: z.string().regex(DOCUMENT_TYPE),
  process: z.string().regex(PROCESS),
  country: z.string().regex(/^[A-Z]{2}$/),
  document: z.base64(),
});
type Envelope = z.infer<typeof EnvelopeSchema>;

/** A document that the access point has taken. */
export interface SimDocument {
  key: string;
  reference: string;
  digest: string;
  sender: string;
  receiver: string;
  xml: string;
  state: 'accepted' | 'delivered' | 'refused';
  reason: string | null;
  detail: string | null;
}

const PATHS: readonly (readonly [RegExp, Operation])[] = [
  [/^POST \/documents$/, 'submit'],
  [/^GET \/documents\/([^/]+)$/, 'status'],
];

/**
 * A strict access point, by the contract in cloud/src/platform/access-points/README.md. It takes only what is well formed,
 * whose identifiers have their schemes, and whose parties are those of the envelope.
 */
export class AccessPointService extends ProviderServer<Operation> {
  /** What was wrong with the format of requests. */
  readonly complaints: string[] = [];
  /** What it has taken, by key. */
  readonly documents = new Map<string, SimDocument>();
  /** Receivers that the network knows, such as `0196:5305750209`. */
  readonly registered = new Set<string>();
  /** Senders with a contract; empty: all. */
  readonly senders = new Set<string>();
  /** Whether what it takes is with the receiver at once. */
  deliversAtOnce = false;
  readonly token: string;

  constructor(token = 'access-point-token') {
    super();
    this.token = token;
  }

  /** The receiver's access point has confirmed it. */
  deliver(key: string): void {
    this.#taken(key).state = 'delivered';
  }

  /** The receiver's access point does not take it. */
  reject(key: string, reason: string, detail: string | null = null): void {
    Object.assign(this.#taken(key), { state: 'refused', reason, detail });
  }

  #taken(key: string): SimDocument {
    const document = this.documents.get(key);
    if (document === undefined) throw new Error(`no document ${key}`);
    return document;
  }

  protected override read(request: ProviderRequest): ProviderCall<Operation> | ProviderAnswer {
    const { method, path, headers } = request;
    if (headers.authorization !== `Bearer ${this.token}`) return { status: 401, body: {} };
    const call = matchCall(PATHS, `${method} ${path}`);
    if (call === null) {
      this.complaints.push(`${method} ${path}`);
      return { status: 404, body: { error: 'no such path' } };
    }
    const act =
      call.operation === 'submit'
        ? () => this.#submit(request)
        : () => this.#status(decodeURIComponent(call.id));
    return { operation: call.operation, act };
  }

  #submit({ headers, text }: ProviderRequest): ProviderAnswer {
    const key = headers['idempotency-key'];
    const envelope = EnvelopeSchema.safeParse(readJson(text));
    if (typeof key !== 'string' || key.length < 16 || !envelope.success) {
      this.complaints.push(`submit: ${envelope.success ? 'no key' : envelope.error.message}`);
      return { status: 400, body: { reason: 'other', detail: 'not in the documented form' } };
    }
    const digest = createHash('sha256').update(text).digest('hex');
    const before = this.documents.get(key);
    if (before !== undefined) {
      return before.digest === digest
        ? { status: 200, body: shown(before) }
        : { status: 422, body: { reason: 'other', detail: 'the key was used for another document' } };
    }
    const refusal = this.#refusalOf(envelope.data);
    if (refusal !== null) return { status: 422, body: refusal };
    const { sender, receiver, document } = envelope.data;
    const taken: SimDocument = {
      key,
      reference: `ap-${randomUUID()}`,
      digest,
      sender,
      receiver,
      xml: Buffer.from(document, 'base64').toString(),
      state: this.deliversAtOnce ? 'delivered' : 'accepted',
      reason: null,
      detail: null,
    };
    this.documents.set(key, taken);
    return { status: 202, body: shown(taken) };
  }

  #status(key: string): ProviderAnswer {
    const found = this.documents.get(key);
    return found === undefined
      ? { status: 404, body: { reason: 'never-came' } }
      : { status: 200, body: shown(found) };
  }

  #refusalOf(envelope: Envelope): { reason: string; detail: string } | null {
    const xml = Buffer.from(envelope.document, 'base64').toString();
    const wrong = mistakeIn(xml, envelope);
    if (wrong !== null) return { reason: 'document-invalid', detail: wrong };
    const sender = addressIn(envelope.sender);
    if (this.senders.size > 0 && !this.senders.has(sender)) {
      return { reason: 'sender-unknown', detail: `no contract for ${sender}` };
    }
    const receiver = addressIn(envelope.receiver);
    if (!this.registered.has(receiver)) {
      return { reason: 'receiver-unknown', detail: `${receiver} is not in the directory` };
    }
    return null;
  }
}

function shown({ key, reference, state, reason, detail }: SimDocument): object {
  return state === 'refused' ? { key, state, reason, detail } : { key, reference, state };
}

function addressIn(participant: string): string {
  return PARTICIPANT.exec(participant)?.[1] ?? '';
}

/** What a document breaks; null: nothing. */
function mistakeIn(xml: string, { documentType, process, sender, receiver }: Envelope): string | null {
  const read = parseXml(xml, BOUNDS);
  if (!read.ok || BARE_AMPERSAND.test(xml)) return 'not well formed';
  const { root } = read;
  const [, name, customization] = DOCUMENT_TYPE.exec(documentType) ?? [];
  if (root.name !== name) return `a ${root.name} under the type of a ${name}`;
  const text = (...path: string[]) => elementAt(root, path)?.text ?? '';
  if (text('CustomizationID') !== customization) return 'CustomizationID is not that of the type';
  if (text('ProfileID') !== PROCESS.exec(process)?.[1]) return 'ProfileID is not that of the process';
  if (text('ID') === '' || text('IssueDate') === '') return 'no number or date';
  for (const [party, participant] of [
    ['AccountingSupplierParty', sender],
    ['AccountingCustomerParty', receiver],
  ] as const) {
    const endpoint = elementAt(root, [party, 'Party', 'EndpointID']);
    const address = `${endpoint?.attributes['schemeID']}:${endpoint?.text}`;
    if (address !== addressIn(participant)) return `${party} is ${address}, and not ${participant}`;
    if (address.startsWith('0196:') && !KENNITALA.test(address)) return `${address} is no kennitala`;
  }
  return null;
}

function elementAt(root: XmlElement, path: readonly string[]): XmlElement | undefined {
  let at: XmlElement | undefined = root;
  for (const name of path) at = at?.children.find((child) => child.name === name);
  return at;
}
