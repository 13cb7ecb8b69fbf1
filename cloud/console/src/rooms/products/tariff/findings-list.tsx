import { Button } from '../../../ui/button.tsx';
import { PLACES } from './tariff-words.ts';
import type { Finding, TariffFindings } from './use-tariff-check.ts';

/** The mistakes and warnings of the tariff, each with the way to its place. */
export function FindingsList({
  findings: { mistakes, warnings, emptyFields },
}: {
  findings: TariffFindings;
}) {
  return (
    <div className="findings" role="status">
      {emptyFields > 0 && (
        <div className="notice caution">
          <p>{PLACES.empty({ n: emptyFields })}</p>
          <Button look="quiet" onPress={showEmptyField}>
            {PLACES.showEmpty}
          </Button>
        </div>
      )}
      <Findings title={PLACES.contradictions} look="notice caution" findings={mistakes} />
      <Findings title={PLACES.warnings} look="notice" findings={warnings} />
    </div>
  );
}

function Findings({ title, look, findings }: { title: string; look: string; findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <div className={look}>
      <strong>{title}</strong>
      <ul>
        {findings.map(({ place, line }) => (
          <li key={`${place} ${line}`}>
            <Button look="quiet" onPress={() => moveTo(elementAt(place))}>
              {line}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The field or part of a tariff at a place; null: none is shown. */
export function elementAt(place: string): Element | null {
  const name = CSS.escape(place);
  return document.querySelector(`.tariff-editor [name="${name}"], .tariff-editor [data-place="${name}"]`);
}

function showEmptyField(): void {
  const fields = document.querySelectorAll<HTMLInputElement>(
    '.tariff-editor input:is([required], [aria-required=true])',
  );
  moveTo([...fields].find(({ value }) => value === '') ?? null);
}

export function moveTo(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
}
