import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { weekdayNames } from '@hlid/protocol/base/weekdays/weekday-name';
import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import {
  Button as AriaButton,
  TextField as AriaTextField,
  Dialog,
  DialogTrigger,
  FieldError,
  Input,
  Label,
  Popover,
  Text,
} from 'react-aria-components';
import { WEEKDAYS } from '../words/codes.ts';
import { IconButton } from './button.tsx';
import { useMistake } from './mistakes.tsx';
import { OWN_ZONE } from './time.tsx';
import { WALL_WORDS } from './wall-text.ts';

interface WallFieldProps {
  label: string;
  hint?: string | undefined;
  /** The field's path in the request, for the cloud's errors about it. */
  name?: string | undefined;
  isRequired?: boolean;
  isReadOnly?: boolean;
  placeholder: string;
  /** How the value is written; empty: there is none. */
  shown: string;
  /** Null: the text is no such value. */
  read: (text: string) => string | null;
  /** The mistake of a text that cannot be read. */
  mistake: string;
  /** Called with the value once it can be read; empty: the field was cleared. */
  onChange: (value: string) => void;
  calendar?: Omit<CalendarProps, 'onDone'>;
}

/**
 * Days and times of a site's clock are typed as the language of the page writes them. The browser's own fields would speak
 * the browser's language.
 */
export function WallField(props: WallFieldProps) {
  const { label, hint, shown, read, onChange, calendar } = props;
  const [typed, setTyped] = useState(shown);
  const [before, setBefore] = useState(shown);
  const said = useMistake(props.name);
  // The value was changed elsewhere.
  if (before !== shown) {
    setBefore(shown);
    if (read(typed) !== read(shown)) setTyped(shown);
  }
  /** A text without a year, or without a colon, is read when the person leaves the field. */
  const finish = () => {
    const value = read(typed);
    if (value === null) return;
    if (value !== read(shown)) onChange(value);
    else setTyped(shown);
  };
  return (
    <AriaTextField
      className="field"
      {...(props.name !== undefined && { name: props.name })}
      {...(said !== undefined && { isInvalid: true, validationBehavior: 'aria' })}
      isRequired={props.isRequired ?? false}
      isReadOnly={props.isReadOnly ?? false}
      value={typed}
      validate={(text) => (text === '' || read(text) !== null ? null : props.mistake)}
      onChange={(text) => {
        setTyped(text);
        if (text.trim() === '') onChange('');
        // A year is typed to its end before it counts.
        else if (/\d{4}|^\d\d:\d\d$/.test(text)) onChange(read(text) ?? '');
      }}
      onBlur={finish}
      onKeyDown={({ key }) => {
        if (key === 'Enter') finish();
      }}
    >
      <Label>{label}</Label>
      <div className="wall-input">
        <Input placeholder={props.placeholder} autoComplete="off" />
        {calendar && <CalendarButton {...calendar} />}
      </div>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="mistake">{said}</FieldError>
    </AriaTextField>
  );
}

interface CalendarProps {
  /** `YYYY-MM-DD`; empty: none is chosen. */
  day: string;
  min?: string | undefined;
  max?: string | undefined;
  onChoose: (day: string) => void;
  onDone: () => void;
}

function CalendarButton(props: Omit<CalendarProps, 'onDone'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <AriaButton className="button icon" aria-label={WALL_WORDS.choose}>
        <CalendarDays size={14} aria-hidden="true" />
      </AriaButton>
      <Popover className="popover" placement="bottom end">
        <Dialog aria-label={WALL_WORDS.choose} className="calendar">
          <Calendar {...props} onDone={() => setOpen(false)} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

const WEEK = 7;

/** A month of days, walked by arrow keys (ARIA APG, date picker dialog). */
function Calendar({ day, min, max, onChoose, onDone }: CalendarProps) {
  const today = siteWall(new Date(), OWN_ZONE).day;
  const [current, setCurrent] = useState(day || today);
  const title = useId();
  const grid = useRef<HTMLTableElement>(null);
  const month = current.slice(0, 'YYYY-MM'.length);
  const goTo = (to: string) => setCurrent(to);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the day has the focus when another one is current
  useEffect(() => {
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const weekday = weekdayOf(current);
    const to: Record<string, string> = {
      ArrowLeft: dayAfter(current, -1),
      ArrowRight: dayAfter(current, 1),
      ArrowUp: dayAfter(current, -WEEK),
      ArrowDown: dayAfter(current, WEEK),
      Home: dayAfter(current, -weekday),
      End: dayAfter(current, WEEK - 1 - weekday),
      PageUp: monthAfter(current, -1),
      PageDown: monthAfter(current, 1),
    };
    const target = to[event.key];
    if (target === undefined) return;
    event.preventDefault();
    goTo(target);
  };
  return (
    <>
      <header>
        <IconButton label={WALL_WORDS.before} onPress={() => goTo(monthAfter(current, -1))}>
          <ChevronLeft size={16} aria-hidden="true" />
        </IconButton>
        <strong id={title} aria-live="polite">
          {WALL_WORDS.months.split(' ')[Number(month.slice('YYYY-'.length)) - 1]}{' '}
          {month.slice(0, 'YYYY'.length)}
        </strong>
        <IconButton label={WALL_WORDS.after} onPress={() => goTo(monthAfter(current, 1))}>
          <ChevronRight size={16} aria-hidden="true" />
        </IconButton>
      </header>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: days take the focus, which a table's do not.
        role="grid"
        aria-labelledby={title}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {weekdayNames(WEEKDAYS.long).map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((one) => {
                const isOther = !one.startsWith(month);
                return (
                  <td key={one}>
                    <button
                      type="button"
                      tabIndex={one === current ? 0 : -1}
                      aria-label={dayName(one)}
                      aria-pressed={one === day}
                      {...(one === today && { 'aria-current': 'date' as const })}
                      className={isOther ? 'other' : ''}
                      disabled={(min ? one < min : false) || (max ? one > max : false)}
                      onClick={() => {
                        onChoose(one);
                        onDone();
                      }}
                    >
                      {Number(one.slice('YYYY-MM-'.length))}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Monday is 0. */
function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % WEEK;
}

/** The same day of another month, or its last one. */
function monthAfter(day: string, months: number): string {
  const first = new Date(`${day.slice(0, 'YYYY-MM'.length)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + months);
  const begin = first.toISOString().slice(0, 'YYYY-MM-DD'.length);
  const wanted = dayAfter(begin, Number(day.slice('YYYY-MM-'.length)) - 1);
  if (wanted.slice(0, 'YYYY-MM'.length) === begin.slice(0, 'YYYY-MM'.length)) return wanted;
  first.setUTCMonth(first.getUTCMonth() + 1);
  return dayAfter(first.toISOString().slice(0, 'YYYY-MM-DD'.length), -1);
}

/** Six weeks, so that nothing moves from month to month. */
function weeksOf(month: string): string[][] {
  const first = `${month}-01`;
  const monday = dayAfter(first, -weekdayOf(first));
  return [0, 1, 2, 3, 4, 5].map((week) =>
    [0, 1, 2, 3, 4, 5, 6].map((place) => dayAfter(monday, week * WEEK + place)),
  );
}

function dayName(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${weekdayNames(WEEKDAYS.long)[weekdayOf(day)]} ${date}. ${WALL_WORDS.months.split(' ')[(month ?? 1) - 1]} ${year}`;
}
