import type { KioskVisit } from '@hlid/protocol/pages/kiosk-api';
import { useKiosk } from '../kiosk-context.ts';
import type { Found } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { VisitCard, VisitFacts } from '../ui/visit-card.tsx';

export function ChooseScreen({ found }: { found: Found }) {
  const [only, ...others] = found.visits;
  return only && others.length === 0 ? <IsItThisOne visit={only} /> : <WhichOne found={found} />;
}

function IsItThisOne({ visit }: { visit: KioskVisit }) {
  const { words, dispatch } = useKiosk();
  return (
    <Frame
      className="choosing one"
      title={words.choose.one}
      lead={words.choose.leadOne}
      controls={
        <>
          <Button kind="primary" className="huge" onPress={() => dispatch({ type: 'pick', visit })}>
            <Icon name="tick" />
            {words.choose.yes}
          </Button>
          <Button onPress={() => dispatch({ type: 'change-plate' })}>{words.choose.no}</Button>
        </>
      }
    >
      <div className="card large">
        <VisitFacts visit={visit} />
      </div>
    </Frame>
  );
}

function WhichOne({ found }: { found: Found }) {
  const { words, dispatch } = useKiosk();
  return (
    <Frame
      className="choosing"
      title={words.choose.many}
      lead={words.choose.leadMany}
      controls={
        <>
          <ul className="cards" aria-label={words.plate.found}>
            {found.visits.map((visit) => (
              <li key={visit.id}>
                <VisitCard visit={visit} />
              </li>
            ))}
          </ul>
          <Button onPress={() => dispatch({ type: 'change-plate' })}>{words.choose.none}</Button>
        </>
      }
    />
  );
}
