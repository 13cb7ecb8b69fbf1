import { formatMoney } from '@hlid/protocol/base/money';
import type { PayDue, PayInvoice } from '@hlid/protocol/pages/pay-api';
import { deadlineOf } from '@hlid/protocol/rules/paid-deadline';
import { dateText } from '@hlid/protocol/site-link/site-wall';
import { lengthText } from '@hlid/protocol/words/length-text';
import { vatTextsOfDue } from '@hlid/protocol/words/vat-words';
import { KeptIn } from '@hlid/ui/kept';
import { PlateSign } from '@hlid/ui/plate-sign';
import { PriceLines } from '@hlid/ui/price-lines';
import { Contest } from '../contest/contest.tsx';
import { ExitCodes, OfflineHint } from '../offline/offline.tsx';
import { usePay } from '../pay-context.ts';
import { dayOf, momentText, untilText } from '../site-clock.ts';
import type { StepAt } from '../state/pay-state.ts';
import { Frame } from '../ui/frame.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { EntryPicture, Hint, Sign } from '../ui/parts.tsx';
import { invoiceTitle } from '../words/words.ts';
import { LoadingScreen } from './find-screens.tsx';

export function DueScreen({ step }: { step: StepAt<'due'> }) {
  const { due } = step;
  if (due === null) return <LoadingScreen />;
  if (due.standing !== 'due') return <StandingScreen due={due} step={step} standing={due.standing} />;
  return <BillScreen due={due} step={step} />;
}

function BillScreen({ due, step }: { due: PayDue; step: StepAt<'due'> }) {
  const { words, language, site, dispatch } = usePay();
  const { currency, amountMinor, stay } = due;
  const total = formatMoney({ amountMinor, currency }, language);
  const hasCards = site !== null && site.gateway !== null;
  const actions = hasCards ? (
    <>
      <button type="button" className="button primary" onClick={() => dispatch({ type: 'card' })}>
        <KeptIn text={words.due.pay({ amount: total })} part={total} />
      </button>
      {due.dayPriceMinor !== null && !stay.ended && (
        <button type="button" className="button" onClick={() => dispatch({ type: 'buy-days' })}>
          {words.due.days}
        </button>
      )}
    </>
  ) : (
    <p className="no-cards">{words.due.noCards}</p>
  );
  return (
    <Frame
      title={due.invoice === undefined ? words.due.title : invoiceTitle(due.invoice.number, words)}
      notice={step.changed && step.notice === null ? 'amount-changed' : step.notice}
      className="due"
      actions={actions}
    >
      {due.atExit && due.siteAway !== true && <Hint icon="gate" text={words.due.atExit} />}
      {stay.ended && due.invoice === undefined && (
        <Hint icon="info" text={due.afterwards?.[language] ?? words.due.left} />
      )}
      <OfflineHint away={due.siteAway} />
      <section className="bill">
        {due.invoice === undefined ? <StayFacts due={due} /> : <InvoiceFacts invoice={due.invoice} />}
        {due.lines.length > 0 && (
          <PriceLines
            words={words.price}
            label={words.due.what}
            lines={due.lines}
            currency={currency}
            language={language}
          />
        )}
        <p className="total">
          {words.due.total} <strong translate="no">{total}</strong>
        </p>
        <Vat due={due} />
      </section>
      <Contest due={due} />
    </Frame>
  );
}

function InvoiceFacts({ invoice: { dueOn, payer } }: { invoice: PayInvoice }) {
  const { words, language } = usePay();
  return (
    <dl className="facts">
      {payer !== null && (
        <>
          <dt>{words.invoice.payer}</dt>
          <dd translate="no">{payer}</dd>
        </>
      )}
      {dueOn !== null && (
        <>
          <dt>{words.invoice.dueOn}</dt>
          <dd>{dateText(dueOn, language)}</dd>
        </>
      )}
    </dl>
  );
}

/** The VAT in what is due, and why there is none. */
function Vat({ due }: { due: PayDue }) {
  const { words, language } = usePay();
  const texts = vatTextsOfDue(due, { language, price: words.price, taxed: words.due.vat });
  return texts.map((text) => (
    <p key={text} className="vat">
      {text}
    </p>
  ));
}

/** Plate, and for the driver the picture and the times. */
function StayFacts({ due }: { due: PayDue }) {
  const { words, language, site, dispatch } = usePay();
  const { stay } = due;
  const timeZone = site?.timeZone ?? 'UTC';
  const now = new Date();
  return (
    <>
      <EntryPicture stay={stay} />
      <div className="stay-head">
        <PlateSign plate={stay.plate} />
        {!stay.proved && (
          <button
            type="button"
            className="button quiet link"
            onClick={() => dispatch({ type: 'prove', day: dayOf(now, timeZone) })}
          >
            {words.due.see}
          </button>
        )}
      </div>
      {stay.startedAt !== null && (
        <dl className="facts">
          <dt>{words.due.cameIn}</dt>
          <dd>{momentText(stay.startedAt, now, timeZone, language)}</dd>
          {stay.endedAt !== null && (
            <>
              <dt>{words.due.leftAt}</dt>
              <dd>{momentText(stay.endedAt, now, timeZone, language)}</dd>
            </>
          )}
          <dt>{words.due.stayed}</dt>
          <dd>
            {lengthText(stay.startedAt, stay.endedAt === null ? now : new Date(stay.endedAt), words.duration)}
          </dd>
        </dl>
      )}
    </>
  );
}

const SIGNS: Record<
  Exclude<PayDue['standing'], 'due'>,
  { icon: IconName; tone: 'good' | 'doubt' | 'plain' }
> = {
  'nothing-due': { icon: 'tick', tone: 'good' },
  paid: { icon: 'tick', tone: 'good' },
  whitelisted: { icon: 'permit', tone: 'good' },
  invoiced: { icon: 'invoice', tone: 'good' },
  checking: { icon: 'clock', tone: 'doubt' },
  ended: { icon: 'car', tone: 'plain' },
  'too-late': { icon: 'clock', tone: 'doubt' },
  'no-price': { icon: 'alert', tone: 'doubt' },
  other: { icon: 'alert', tone: 'doubt' },
};

function StandingScreen({
  due,
  step,
  standing,
}: {
  due: PayDue;
  step: StepAt<'due'>;
  standing: Exclude<PayDue['standing'], 'due'>;
}) {
  const { words, language, site, dispatch } = usePay();
  const { title, lead } =
    due.invoice === undefined || standing === 'checking'
      ? words.standing[standing]
      : words.invoice[standing === 'paid' ? 'paid' : 'closed'];
  const maySell = due.dayPriceMinor !== null && !due.stay.ended && site !== null && site.gateway !== null;
  const showsDeadline = standing === 'paid' || standing === 'nothing-due';
  const leaveBy = showsDeadline ? deadlineOf(due) : null;
  const needsHelp =
    standing === 'checking' || standing === 'no-price' || standing === 'other' || standing === 'too-late';
  return (
    <Frame
      title={title}
      lead={lead}
      notice={step.notice}
      className="verdict"
      actions={
        <>
          {maySell && standing !== 'checking' && (
            <button type="button" className="button" onClick={() => dispatch({ type: 'buy-days' })}>
              {words.due.days}
            </button>
          )}
          {!needsHelp && (
            <button type="button" className="button quiet" onClick={() => dispatch({ type: 'start-over' })}>
              {words.paid.another}
            </button>
          )}
        </>
      }
    >
      <Sign {...SIGNS[standing]} />
      {due.invoice === undefined && <PlateSign plate={due.stay.plate} />}
      {leaveBy !== null && site !== null && (
        <p className="until">{untilText(leaveBy, new Date(), site.timeZone, language)}</p>
      )}
      <ExitCodes codes={due.codes} />
      <Contest due={due} />
    </Frame>
  );
}

export function DaysScreen({ step }: { step: StepAt<'days'> }) {
  const { words, language, dispatch } = usePay();
  const { due, dayPriceMinor, quantity } = step;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency: due.currency }, language);
  const total = money(dayPriceMinor * quantity);
  const change = (by: number) => dispatch({ type: 'quantity', quantity: quantity + by });
  return (
    <Frame
      title={words.days.title}
      lead={words.days.lead}
      className="days"
      actions={
        <button type="button" className="button primary" onClick={() => dispatch({ type: 'card' })}>
          <KeptIn text={words.days.next({ amount: total })} part={total} />
        </button>
      }
    >
      <div className="stepper">
        <button
          type="button"
          className="button"
          aria-label={words.days.fewer}
          disabled={quantity <= 1}
          onClick={() => change(-1)}
        >
          <Icon name="minus" />
        </button>
        <output aria-live="polite">
          <strong translate="no">{quantity}</strong> {words.days.count({ n: quantity })}
        </output>
        <button type="button" className="button" aria-label={words.days.more} onClick={() => change(1)}>
          <Icon name="plus" />
        </button>
      </div>
      <p className="per-day">
        <KeptIn text={words.days.perDay({ amount: money(dayPriceMinor) })} part={money(dayPriceMinor)} />
      </p>
    </Frame>
  );
}
