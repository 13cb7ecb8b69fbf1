import { formatMoney } from '@hlid/protocol/base/money';
import { PlateSign } from '@hlid/ui/plate-sign';
import { randomUuid } from '@hlid/ui/random-uuid';
import { useKiosk } from '../kiosk-context.ts';
import { enteredText } from '../site-clock.ts';
import { MAX_DAYS, type Screen } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';

const SUGGESTED = [1, 2, 3, 7];

export function DaysScreen({ screen }: { screen: Extract<Screen, { at: 'days' }> }) {
  const { words, language, site, dispatch } = useKiosk();
  const { due, dayPriceMinor, quantity } = screen;
  const text = (amountMinor: number) => formatMoney({ amountMinor, currency: due.currency }, language);
  const set = (days: number) => dispatch({ type: 'quantity', quantity: days });
  return (
    <Frame
      className="days"
      title={words.days.title}
      lead={words.days.lead}
      controls={
        <>
          <div className="stepper">
            <Button
              repeats
              label={words.days.fewer}
              disabled={quantity <= 1}
              onPress={() => set(quantity - 1)}
            >
              <Icon name="minus" />
            </Button>
            <output>
              <strong>{quantity}</strong> {words.days.count({ n: quantity })}
            </output>
            <Button
              repeats
              label={words.days.more}
              disabled={quantity >= MAX_DAYS}
              onPress={() => set(quantity + 1)}
            >
              <Icon name="plus" />
            </Button>
          </div>
          <div className="chips">
            {SUGGESTED.map((days) => (
              <Button key={days} pressed={days === quantity} onPress={() => set(days)}>
                {days} {words.days.count({ n: days })}
              </Button>
            ))}
          </div>
          <Button
            kind="primary"
            className="huge"
            onPress={() => dispatch({ type: 'pay', key: randomUuid() })}
          >
            <Icon name="card" />
            {words.due.pay({ amount: text(dayPriceMinor * quantity) })}
          </Button>
        </>
      }
    >
      <PlateSign plate={due.visit.plate} unread={words.noPlate} large />
      <p>{enteredText(due.visit.startedAt, new Date(), site.timeZone, language)}</p>
      <p className="per-day">{words.days.perDay({ amount: text(dayPriceMinor) })}</p>
    </Frame>
  );
}
