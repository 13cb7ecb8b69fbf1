import { useKiosk } from '../kiosk-context.ts';
import type { Found } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { VisitCard } from '../ui/visit-card.tsx';

export function ChooseScreen({ found }: { found: Found }) {
  const { words, dispatch } = useKiosk();
  const isOne = found.visits.length === 1;
  return (
    <Frame
      className="choosing"
      title={isOne ? words.choose.one : words.choose.many}
      lead={words.choose.lead}
      controls={
        <>
          <ul className={`cards ${isOne ? 'single' : ''}`} aria-label={words.plate.found}>
            {found.visits.map((visit) => (
              <li key={visit.id}>
                <VisitCard visit={visit} large={isOne} />
              </li>
            ))}
          </ul>
          <Button onPress={() => dispatch({ type: 'change-plate' })}>{words.choose.none}</Button>
        </>
      }
    />
  );
}
