import { formatMoney } from '@hlid/protocol/base/money';
import type { KioskDue } from '@hlid/protocol/pages/kiosk-api';
import { randomUuid } from '@hlid/ui/random-uuid';
import { useKiosk } from '../kiosk-context.ts';
import { type Screen, SHORTEST_PLATE, SHORTEST_SEARCH } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { PlateKeyboard } from '../ui/plate-keyboard.tsx';
import { TypedField } from '../ui/typed-field.tsx';
import { VisitCard } from '../ui/visit-card.tsx';
import { takesCards } from '../ui/ways-to-pay.ts';

type PlateScreenState = Extract<Screen, { at: 'plate' }>;
/** More are seen by asking for all that were found. */
const MAX_SUGGESTIONS = 3;

export function PlateScreen({ screen }: { screen: PlateScreenState }) {
  const { words, dispatch } = useKiosk();
  const find = () => dispatch({ type: 'find' });
  return (
    <Frame
      className="typing"
      title={words.plate.title}
      controls={
        <>
          <TypedField label={words.plate.field} text={screen.typed} plate />
          <PlateKeyboard onEnter={find}>
            <Button
              className="key wide"
              onPress={() => dispatch({ type: 'clear' })}
              disabled={screen.typed === ''}
            >
              {words.plate.clear}
            </Button>
            <Button
              kind="primary"
              className="key widest"
              disabled={screen.typed.length < SHORTEST_PLATE || screen.asked}
              onPress={find}
            >
              <Icon name="search" />
              {screen.asked ? words.looking : words.plate.find}
            </Button>
          </PlateKeyboard>
        </>
      }
    >
      <Suggestions screen={screen} />
    </Frame>
  );
}

function Suggestions({ screen }: { screen: PlateScreenState }) {
  const { words, dispatch } = useKiosk();
  const { typed, found, trouble } = screen;
  if (trouble === 'too-many-requests') return <NoCarsYet>{words.plate.tooMany}</NoCarsYet>;
  const isBeginning = typed.length >= SHORTEST_SEARCH;
  if (trouble === null && !isBeginning && !found) return <NoCarsYet>{words.plate.hint}</NoCarsYet>;
  if (trouble !== null || !found) return <NoCarsYet>{words.looking}</NoCarsYet>;
  if (found.visits.length === 0) {
    return (
      <div className="hint no-cars" role="status">
        <p>
          <strong>
            {isBeginning ? words.plate.none({ plate: typed }) : words.plate.noneWhole({ plate: typed })}
          </strong>{' '}
          {isBeginning ? words.plate.noneMore : words.plate.noneWholeMore}
        </p>
        <Button onPress={() => dispatch({ type: 'browse' })}>
          <Icon name="picture" />
          {words.notFound.browse}
        </Button>
      </div>
    );
  }
  return (
    <ul className="cards suggestions" aria-label={words.plate.found}>
      {found.visits.slice(0, MAX_SUGGESTIONS).map((visit) => (
        <li key={visit.id}>
          <VisitCard visit={visit} />
          {screen.due !== null && <PayNow due={screen.due} />}
        </li>
      ))}
    </ul>
  );
}

/** Beside the only car that was found: from here to the terminal it is one touch. */
function PayNow({ due }: { due: KioskDue }) {
  const { words, language, site, dispatch } = useKiosk();
  if (due.standing !== 'due' || !takesCards(site)) return null;
  const { amountMinor, currency } = due;
  return (
    <Button kind="primary" className="pay-now" onPress={() => dispatch({ type: 'pay', key: randomUuid() })}>
      <Icon name="card" />
      {words.due.pay({ amount: formatMoney({ amountMinor, currency }, language) })}
    </Button>
  );
}

/** The placeholder of the cars that are found, of the same size: nothing moves when they come. */
function NoCarsYet({ children }: { children: string }) {
  return (
    <div className="hint no-cars" role="status">
      <Icon name="car" />
      <p>{children}</p>
    </div>
  );
}
