import { formatMoney } from '@hlid/protocol/base/money';
import type { KioskDue } from '@hlid/protocol/pages/kiosk-api';
import { lengthText } from '@hlid/protocol/words/length-text';
import { vatTextsOfDue } from '@hlid/protocol/words/vat-words';
import { PlateSign } from '@hlid/ui/plate-sign';
import { PriceLines } from '@hlid/ui/price-lines';
import { randomUuid } from '@hlid/ui/random-uuid';
import { useCallback } from 'react';
import { useScanner } from '../follow/use-scanner.ts';
import { useKiosk } from '../kiosk-context.ts';
import { enteredText } from '../site-clock.ts';
import type { Screen } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { EntryPicture } from '../ui/entry-picture.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { payPageOf, takesCards, takesCodes, takesPhones } from '../ui/ways-to-pay.ts';
import { StandingView } from './standing-view.tsx';

/** The price of a stay and its reasons, or the reason why it costs nothing. */
export function DueScreen({ screen }: { screen: Extract<Screen, { at: 'due' }> }) {
  const { words } = useKiosk();
  const { due, trouble } = screen;
  if (!due && trouble === 'not-found') return <StandingView standing="ended" due={null} />;
  if (!due) {
    return (
      <Frame className="waiting" title={words.looking}>
        <span className="spinner" />
      </Frame>
    );
  }
  if (due.standing === 'due') return <AmountDue due={due} changed={screen.changed} />;
  // The plate is asked for on a separate screen, which is on its way.
  return <StandingView standing={due.standing === 'need-plate' ? 'no-price' : due.standing} due={due} />;
}

function AmountDue({ due, changed }: { due: KioskDue; changed: boolean }) {
  const { words, language, site, dispatch } = useKiosk();
  const { visit, amountMinor, currency } = due;
  const amount = formatMoney({ amountMinor, currency }, language);
  const now = new Date(due.pricedAt);
  const onCode = useCallback((code: string) => dispatch({ type: 'code-scanned', code }), [dispatch]);
  useScanner(takesCodes(site), onCode);
  return (
    <Frame
      className="due"
      title={words.due.title}
      controls={
        <>
          {changed && (
            <p className="note doubt" role="alert">
              <Icon name="alert" />
              {words.due.changed}
            </p>
          )}
          {takesCards(site) ? (
            <Button
              kind="primary"
              className="huge"
              onPress={() => dispatch({ type: 'pay', key: randomUuid() })}
            >
              <Icon name="card" />
              {words.due.pay({ amount })}
            </Button>
          ) : (
            <NoCards />
          )}
          {takesPhones(site) && (
            <Button
              {...(!takesCards(site) && { kind: 'primary', className: 'huge' })}
              onPress={() => dispatch({ type: 'pay-by-phone' })}
            >
              <Icon name="mobile" />
              {words.phone.offer}
            </Button>
          )}
          {takesCodes(site) && (
            <Button onPress={() => dispatch({ type: 'enter-code' })}>
              <Icon name="mobile" />
              {words.code.offer}
            </Button>
          )}
          {takesCards(site) && due.dayPriceMinor !== null && (
            <Button className="buy-days" onPress={() => dispatch({ type: 'buy-days' })}>
              <Icon name="plus" />
              {words.due.days}
            </Button>
          )}
        </>
      }
    >
      <section className="bill">
        <div className="bill-car">
          <EntryPicture visit={visit} />
          <div>
            <PlateSign plate={visit.plate} unread={words.noPlate} />
            <p>{enteredText(visit.startedAt, now, site.timeZone, language)}</p>
            <p className="quiet">{words.stayed(lengthText(visit.startedAt, now, words.duration))}</p>
            <Button kind="quiet" className="not-mine" onPress={() => dispatch({ type: 'not-this-car' })}>
              {words.due.notMine}
            </Button>
          </div>
        </div>
        <PriceLines
          words={words.price}
          label={words.due.what}
          lines={due.lines}
          maxWithoutScrolling={4}
          currency={currency}
          language={language}
        />
        <p className="total">
          <span>{words.due.total}</span>
          <strong>{amount}</strong>
        </p>
        <Vat due={due} />
      </section>
    </Frame>
  );
}

/** The VAT in what is due, and why there is none. */
function Vat({ due }: { due: KioskDue }) {
  const { words, language } = useKiosk();
  const texts = vatTextsOfDue(due, { language, price: words.price, taxed: words.due.vat });
  return texts.map((text) => (
    <p key={text} className="vat">
      {text}
    </p>
  ));
}

function NoCards() {
  const { words, site, dispatch } = useKiosk();
  const online = payPageOf(site)?.replace(/^https?:\/\//, '') ?? null;
  const other = online === null ? words.due.callUs : words.due.payOnline({ address: online });
  return (
    <>
      <p className="note bad" role="status">
        <Icon name="alert" />
        <span>
          {words.due.noCards} {!takesPhones(site) && other}
        </span>
      </p>
      {!takesPhones(site) && (
        <Button kind="primary" onPress={() => dispatch({ type: 'help', open: true })}>
          <Icon name="phone" />
          {words.helpPanel.call}
        </Button>
      )}
    </>
  );
}
