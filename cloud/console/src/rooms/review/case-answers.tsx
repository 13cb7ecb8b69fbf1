import { normalisePlate } from '@hlid/protocol/plate/plate';
import { PlateSign } from '@hlid/ui/plate-sign';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { Button as AriaButton, Input, Label, type PressEvent, TextField } from 'react-aria-components';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/time.tsx';
import { type Choice, choicesOf } from './choices.ts';
import type { ReviewAnswer, ReviewCase } from './review-calls.ts';
import { percentText } from './review-numbers.ts';
import { REVIEW } from './review-words.ts';

/** A second press of the mouse that comes sooner was meant for the picture before. */
const DOUBLE_PRESS_MS = 350;

/** The answers to a picture: a plate by its key, one that is typed, none, or nothing. */
export function CaseAnswers({
  shown,
  draft,
  onDraft,
  onAnswer,
}: {
  shown: ReviewCase;
  /** The text that was typed so far. */
  draft: string;
  onDraft: (text: string) => void;
  onAnswer: (answer: ReviewAnswer) => void;
}) {
  const { id } = shown;
  const shownAt = useRef({ id, at: performance.now() });
  useEffect(() => {
    shownAt.current = { id, at: performance.now() };
  }, [id]);
  const press = (answer: ReviewAnswer) => (event: PressEvent) => {
    const isByHand = event.pointerType !== 'keyboard' && event.pointerType !== 'virtual';
    if (isByHand && performance.now() - shownAt.current.at < DOUBLE_PRESS_MS) return;
    onAnswer(answer);
  };
  useShortcut('n', REVIEW.none, () => onAnswer({ answer: 'none' }));
  useShortcut('s', REVIEW.skip, () => onAnswer({ answer: 'skip' }));
  return (
    <div className="case-answers">
      <h2>{REVIEW.question}</h2>
      <ol className="choices">
        {choicesOf(shown).map((choice, place) => (
          // The key is the position, so that the focus stays when the next case comes.
          // biome-ignore lint/suspicious/noArrayIndexKey: a key of the keyboard is a place
          <li key={place}>
            <ChoiceButton
              choice={choice}
              shown={shown}
              keyName={String(place + 1)}
              onPress={press({ answer: 'plate', plate: choice.plate })}
              onKey={() => onAnswer({ answer: 'plate', plate: choice.plate })}
            />
          </li>
        ))}
      </ol>
      <TypedPlate draft={draft} onDraft={onDraft} onDone={(plate) => onAnswer({ answer: 'plate', plate })} />
      <p className="quiet-text">{REVIEW.effects[shown.onPlate]}</p>
      <div className="row-acts">
        <Button onPress={press({ answer: 'none' })}>
          {REVIEW.none} <kbd>N</kbd>
        </Button>
        <Button look="quiet" onPress={press({ answer: 'skip' })}>
          {REVIEW.skip} <kbd>S</kbd>
        </Button>
      </div>
    </div>
  );
}

function ChoiceButton({
  choice,
  shown,
  keyName,
  onPress,
  onKey,
}: {
  choice: Choice;
  shown: ReviewCase;
  keyName: string;
  onPress: (event: PressEvent) => void;
  onKey: () => void;
}) {
  const timeZone = useTimeZone(shown.siteId);
  const { plate, score, visit } = choice;
  useShortcut(keyName, REVIEW.choose({ plate }), onKey);
  const effect = effectOf(choice, shown);
  return (
    <AriaButton className="choice" onPress={onPress}>
      <span aria-hidden="true">
        <kbd>{keyName}</kbd>
      </span>
      <PlateSign plate={plate} />
      <span className="choice-notes">
        <span>{score === null ? REVIEW.nearby : REVIEW.score({ score: percentText(score) })}</span>
        {visit && (
          <span>
            {visit.inside ? REVIEW.inside : REVIEW.wasInside}{' '}
            <Moment at={visit.startedOn} timeZone={timeZone} isExact />
          </span>
        )}
        {effect && <span className="quiet-text">{effect}</span>}
      </span>
    </AriaButton>
  );
}

function effectOf({ visit }: Choice, { onPlate }: ReviewCase): string | null {
  const isInside = visit?.inside === true;
  if (onPlate === 'visit-end') return isInside ? REVIEW.endsVisit : REVIEW.noVisit;
  return onPlate === 'visit-plate' && isInside ? REVIEW.alreadyInside : null;
}

/** Letters and digits only, in capitals, as they are typed. */
function TypedPlate({
  draft,
  onDraft,
  onDone,
}: {
  draft: string;
  onDraft: (text: string) => void;
  onDone: (plate: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  useShortcut('t', REVIEW.typeKey, () => field.current?.select());
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') field.current?.blur();
  };
  // A letter that became another one would move the caret to the end.
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  const type = (text: string) => {
    const before = text.slice(0, field.current?.selectionStart ?? text.length);
    caret.current = normalisePlate(before).length;
    onDraft(normalisePlate(text));
  };
  return (
    <form
      className="typed-plate"
      onSubmit={(event) => {
        event.preventDefault();
        if (draft === '') return;
        // Keys act on the next picture again.
        field.current?.blur();
        onDone(draft);
      }}
    >
      <TextField
        className="field"
        value={draft}
        onChange={type}
        autoComplete="off"
        maxLength={16}
        onKeyDown={onKeyDown}
      >
        <Label>
          {REVIEW.type}
          <span aria-hidden="true">
            {' '}
            <kbd>T</kbd>
          </span>
        </Label>
        <Input ref={field} autoCapitalize="characters" spellCheck={false} />
      </TextField>
      <Button type="submit" look="primary" isDisabled={draft === ''}>
        {REVIEW.savePlate({ plate: draft })}
      </Button>
    </form>
  );
}
