import { byLanguage, LANGUAGES, type Language, LanguageSchema } from '@hlid/protocol/base/language';
import { mistake, wrong } from '@hlid/protocol/base/mistakes/mistake';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { ELECTRONIC_ID_PATHS } from '@hlid/protocol/pages/driver-paths';
import { ELECTRONIC_ID_WORDS } from '@hlid/protocol/words/electronic-id/electronic-id-texts';
import { ELECTRONIC_ID_STATES, electronicIdText } from '@hlid/protocol/words/electronic-id-words';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import {
  ELECTRONIC_ID_METHODS,
  type ElectronicIdMethod,
  MAX_PHONE_TEXT,
} from '../../platform/electronic-id/electronic-id.ts';
import { EVENTS } from '../../platform/events.ts';
import { addressOf, agentOf } from '../../platform/http/address-of.ts';
import type { CloudContext, CloudEnv } from '../../platform/http/cloud-env.ts';
import { inputError, notFound, REFUSALS, tooManyRequests } from '../../platform/http/errors.ts';
import { json, jsonBody } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { AccountSchema, accountFrom } from '../accounts/account.ts';
import {
  type CheckAnswer,
  checkIdentification,
  type DriverLogins,
  type LoggedIn,
} from './check-identification.ts';
import { IDENTIFICATION_WORDS } from './identification-words.ts';
import { initSession, prepareIdentification, type SessionQuestion } from './start-identification.ts';

const tags = ['Auth'];
const STATUS_PATH = ELECTRONIC_ID_PATHS.status;

const LabelSchema = z
  .strictObject({
    is: z.string(),
    en: z.string(),
    pl: z.string(),
    de: z.string(),
    fr: z.string(),
    es: z.string(),
    da: z.string(),
  })
  .meta({ id: 'Labels' });
const SecretSchema = z.string().min(1).max(100);
const BodyLanguageSchema = LanguageSchema.optional().describe(
  'The language of `message` in the answers and of the text on the phone; default: ' + '`Accept-Language`.',
);

const InputSchema = z.strictObject({
  name: z.enum(['phone', 'kennitala']).describe('The field of POST /auth/login/stefna/authenticate.'),
  type: z.enum(['tel', 'text']).describe('The type of an HTML input.'),
  inputMode: z.enum(['tel', 'numeric']),
  label: LabelSchema,
  pattern: z.string().describe('A regular expression for the whole text, as in HTML.'),
  maxLength: z.int(),
});
const MethodSchema = z.strictObject({
  id: z.enum(ELECTRONIC_ID_METHODS),
  label: LabelSchema,
  inputs: z.array(InputSchema),
});
const InitBodySchema = z
  .strictObject({
    purpose: z
      .enum(['account', 'driver'])
      .optional()
      .describe(
        'Who logs in: somebody with an account of an office (as usual), or a driver with a stored card.',
      ),
  })
  .meta({ id: 'ElectronicIdInit', example: { purpose: 'account' } });
const InitAnswerSchema = z
  .strictObject({
    session: z.string(),
    expiresOn: UtcTimeSchema,
    methods: z.array(MethodSchema).describe('Empty: this cloud has no login by electronic identity.'),
  })
  .meta({ id: 'ElectronicIdSession' });

const AuthenticateBodySchema = z
  .strictObject({
    session: SecretSchema,
    method: z.enum(ELECTRONIC_ID_METHODS),
    phone: z.string().max(30).optional().describe('The number of an Icelandic mobile phone, with `sim`.'),
    kennitala: z.string().max(20).optional().describe('The national id of a person, with `app`.'),
    message: z
      .string()
      .max(MAX_PHONE_TEXT)
      .regex(/^[^\r\n\t]*$/, wrong('no-line-breaks'))
      .optional()
      .describe(
        'The text on the phone. With `sim` the code follows it, and there is space for about 40 ' +
          'characters.',
      ),
    language: BodyLanguageSchema,
    device_uuid: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'A random secret of the device. A new login of an account there ends the one before, and a device on which the person has logged in within 90 days has starts of its own.',
      ),
  })
  .meta({
    id: 'ElectronicIdStart',
    example: { session: 'Jq3v…', method: 'sim', phone: '6123456', message: 'Innskráning', language: 'is' },
  });
const AuthenticateAnswerSchema = z
  .strictObject({
    code: z.string().describe('Four digits to show; the phone shows the same.'),
    statusPath: z.string(),
    bearerToken: z.string().describe('Only valid for the status of this session.'),
  })
  .meta({ id: 'ElectronicIdStarted' });

const StatusBodySchema = z
  .strictObject({ session: SecretSchema, bearerToken: SecretSchema, language: BodyLanguageSchema })
  .meta({ id: 'ElectronicIdPoll', example: { session: 'Jq3v…', bearerToken: '9sKx…' } });
const StatusAnswerSchema = z
  .strictObject({
    status: z.enum(ELECTRONIC_ID_STATES),
    message: z.string().describe('A text for the person who logs in.'),
    wait: z.int().min(0).describe('Seconds until the next poll; 0: the session has ended.'),
    data: z
      .union([
        z.strictObject({
          bearerToken: z.string().describe('The access token, as from POST /auth/login.'),
          expiresOn: UtcTimeSchema,
          endedSessions: z.int().min(0),
          account: AccountSchema,
        }),
        z.strictObject({
          bearerToken: z.string().describe("A driver's, for the payment page's own calls and nothing else."),
          expiresOn: UtcTimeSchema,
        }),
      ])
      .optional()
      .describe('Once, with `success`.'),
  })
  .meta({ id: 'ElectronicIdStatus' });

const initRoute = createRoute({
  method: 'post',
  path: ELECTRONIC_ID_PATHS.init,
  tags,
  summary: 'Begin a login by electronic identity',
  description: 'The session is valid for five minutes and one login. The body may be left out.',
  request: { body: { content: json(InitBodySchema) } },
  responses: {
    200: { description: 'A session, and the methods', content: json(InitAnswerSchema) },
    ...REFUSALS.input,
  },
});

const authenticateRoute = createRoute({
  method: 'post',
  path: ELECTRONIC_ID_PATHS.authenticate,
  tags,
  summary: 'Name who logs in by electronic identity, and get the code to show',
  description: [
    'The phone does not ring yet: show the code first, then poll `statusPath`. The first poll sends the request to the phone.',
    '',
    'A person has one open session, and five starts an hour. A session that is not polled for 30 seconds is not open.',
    'A device on which the person has logged in has five starts of its own, and replaces a session of another device.',
  ].join('\n'),
  request: { body: jsonBody(AuthenticateBodySchema) },
  responses: {
    200: { description: 'The code, and the address to poll', content: json(AuthenticateAnswerSchema) },
    ...REFUSALS.input,
    ...REFUSALS.notFound,
    ...REFUSALS.tooMany,
  },
});

const statusRoute = createRoute({
  method: 'post',
  path: STATUS_PATH,
  tags,
  summary: 'Poll a login by electronic identity',
  description: [
    'Poll after `wait` seconds; earlier is answered with 429. Every status but `pending` ends the session: `success`',
    'is answered once, with the access token, and after that there is no such session (404).',
    '',
    '- `account-not-found`: there is no electronic identity, no login with that national id, or its account is inactive;',
    '  for a driver: no driver has connected it.',
    '- `error`: the identity is blocked, or the provider cannot be used. `unknown`: nobody knows; begin with a new session.',
  ].join('\n'),
  request: { body: jsonBody(StatusBodySchema) },
  responses: {
    200: { description: 'The status', content: json(StatusAnswerSchema) },
    ...REFUSALS.input,
    ...REFUSALS.notFound,
    ...REFUSALS.tooMany,
  },
});

/** Logging in by electronic identity: the specification's broker "stefna". */
export function electronicIdRoutes(context: CloudContext, drivers: DriverLogins) {
  const { electronicId } = context;
  return createRouter()
    .openapi(initRoute, async (c) => {
      const { purpose = 'account' } = c.req.valid('json');
      return c.json(await beginLogin(context, { purpose }), 200);
    })
    .openapi(authenticateRoute, async (c) => {
      const { device_uuid: deviceUuid, ...body } = c.req.valid('json');
      if (!electronicId?.methods.includes(body.method))
        return inputError(c, mistake('method-not-offered', 'method'));
      const language = body.language ?? acceptedLanguage(c) ?? 'is';
      const question = { ...body, language, deviceUuid, address: addressOf(c) };
      const prepared = await prepareIdentification(context, question);
      if (prepared.ok) {
        const { code, pollToken } = prepared;
        return c.json({ code, statusPath: STATUS_PATH, bearerToken: pollToken }, 200);
      }
      return prepared.reason === 'too-many'
        ? tooManyRequests(c, prepared.retryAfterSeconds)
        : prepared.reason === 'input'
          ? inputError(c, ...prepared.mistakes)
          : notFound(c, 'session');
    })
    .openapi(statusRoute, async (c) => {
      const { session, bearerToken: pollToken, language } = c.req.valid('json');
      const requestId = c.get('requestId');
      const answer = await checkIdentification(
        { ...context, drivers },
        { session, pollToken, requestId, address: addressOf(c), agent: agentOf(c) },
      );
      report(context, c, answer);
      if (!answer.ok) {
        return answer.reason === 'too-fast'
          ? tooManyRequests(c, answer.retryAfterSeconds)
          : notFound(c, 'session');
      }
      const { status, purpose } = answer;
      const message = electronicIdText(
        status,
        purpose,
        ELECTRONIC_ID_WORDS[language ?? acceptedLanguage(c) ?? answer.language ?? 'is'],
      );
      const wait = status === 'pending' ? answer.waitSeconds : 0;
      const data = status === 'success' ? dataOf(answer.loggedIn) : null;
      return c.json({ status, message, wait, ...(data && { data }) }, 200);
    });
}

/** Makes a session, and describes the ways to identify. */
export async function beginLogin(
  context: Pick<CloudContext, 'db' | 'clock' | 'electronicId'>,
  question: SessionQuestion,
) {
  const { session, expiresAt } = await initSession(context, question);
  const methods = (context.electronicId?.methods ?? []).map(drawnMethod);
  return { session, expiresOn: expiresAt, methods };
}

/** Null: who is logged in stays the same. */
function dataOf(loggedIn: LoggedIn) {
  switch (loggedIn.kind) {
    case 'account': {
      const { token, expiresAt, endedSessions, account } = loggedIn.session;
      return { bearerToken: token, expiresOn: expiresAt, endedSessions, account: accountFrom(account) };
    }
    case 'driver':
      return { bearerToken: loggedIn.session.token, expiresOn: loggedIn.session.expiresAt };
    case 'connected':
      return null;
    default:
      return loggedIn satisfies never;
  }
}

/** Logs how a login ended; neither the phone's number nor the national id. */
function report({ log }: CloudContext, c: Context<CloudEnv>, answer: CheckAnswer): void {
  if (!answer.ok || answer.status === 'pending') return;
  const common = { requestId: c.get('requestId'), provider: 'electronic-id', address: addressOf(c) };
  if (answer.status === 'success') {
    const { loggedIn } = answer;
    const whose = {
      ...(loggedIn.kind === 'account' && { account: loggedIn.session.account.id }),
      ...(loggedIn.kind === 'driver' && { driver: loggedIn.session.driverId }),
    };
    log.info({ event: EVENTS.loginAccepted, ...common, purpose: answer.purpose, ...whose });
  } else {
    log.warn({ event: EVENTS.loginRefused, ...common, reason: answer.status, code: answer.code });
  }
}

/** The parts of a method that a client draws. */
function drawnMethod(id: ElectronicIdMethod): z.infer<typeof MethodSchema> {
  const labels = (name: keyof typeof IDENTIFICATION_WORDS.en.method) =>
    byLanguage((language) => IDENTIFICATION_WORDS[language].method[name]);
  const input =
    id === 'sim'
      ? ({ name: 'phone', type: 'tel', inputMode: 'tel', pattern: PHONE_PATTERN, maxLength: 20 } as const)
      : ({
          name: 'kennitala',
          type: 'text',
          inputMode: 'numeric',
          pattern: SSN_PATTERN,
          maxLength: 11,
        } as const);
  return { id, label: labels(id), inputs: [{ ...input, label: labels(input.name) }] };
}

const PHONE_PATTERN = '(\\+354|00354)?[ \\-]?[36-8][0-9]{2}[ \\-]?[0-9]{4}';
const SSN_PATTERN = '[0-9]{6}[ \\-]?[0-9]{4}';

/** The first language of `Accept-Language` that we have, by its order; null: none. */
function acceptedLanguage(c: Context): Language | null {
  const accepted = (c.req.header('accept-language') ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const weight = Number(
      parameters
        .find((one) => one.trim().startsWith('q='))
        ?.trim()
        .slice(2) ?? 1,
    );
    return { language: tag.split('-')[0], weight: Number.isNaN(weight) ? 0 : weight };
  });
  for (const { language } of accepted.sort((one, other) => other.weight - one.weight)) {
    const known = LANGUAGES.find((one) => one === language);
    if (known !== undefined) return known;
  }
  return null;
}
