import { Badge } from '@hlid/ui/badge';
import { PlateSign } from '@hlid/ui/plate-sign';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { Checklist, Progress } from '../../ui/checklist.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { placeOf } from './lesson-places.ts';
import { type Lesson, type LessonName, type Training, useStart, useTraining } from './training-api.ts';
import { WORDS } from './training-words.ts';
import './training.css';

const START_COMMAND = 'npm start';

/** Lessons on the simulated car park; at a real one, the way to them. */
export function TrainingPage() {
  const query = useTraining();
  return (
    <Page title={WORDS.title} isWide={false}>
      <QueryView query={query} lines={8}>
        {(training) => (training.isTraining ? <Lessons training={training} /> : <Elsewhere />)}
      </QueryView>
    </Page>
  );
}

/** The car parks of this cloud are real. */
function Elsewhere() {
  return (
    <section className="card training-elsewhere">
      <h2>{WORDS.elsewhere.title}</h2>
      <p>{WORDS.elsewhere.why}</p>
      <CopyableText label={WORDS.elsewhere.how} value={START_COMMAND} />
      <p>{WORDS.elsewhere.after}</p>
      <ul>
        {Object.values(WORDS.lessons).map(({ title }) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
    </section>
  );
}

function Lessons({ training: { lessons, trainerAnswers } }: { training: Training }) {
  const { filters, setFilters } = useFilters();
  // Steps that are done meanwhile do not change the page: the learner reads the present lesson, and goes on.
  const [first] = useState(() => newestBegun(lessons) ?? lessons[0]?.lesson);
  const shown = filters['lesson'] ?? first;
  return (
    <>
      <p>{WORDS.intro}</p>
      {!trainerAnswers && <p className="notice caution">{WORDS.trainerAway}</p>}
      <Progress done={lessons.filter(({ done }) => done).length} total={lessons.length} />
      {lessons.map((lesson) => (
        <LessonCard
          key={lesson.lesson}
          lesson={lesson}
          isOpen={lesson.lesson === shown}
          onToggle={() => setFilters({ lesson: lesson.lesson === shown ? 'none' : lesson.lesson })}
        />
      ))}
    </>
  );
}

function newestBegun(lessons: readonly Lesson[]): LessonName | undefined {
  const begun = lessons.filter(({ startedOn }) => startedOn !== null);
  return begun.toSorted((a, b) => ((a.startedOn ?? '') < (b.startedOn ?? '') ? 1 : -1))[0]?.lesson;
}

function LessonCard({ lesson, isOpen, onToggle }: { lesson: Lesson; isOpen: boolean; onToggle: () => void }) {
  const start = useStart(lesson.lesson);
  const words = WORDS.lessons[lesson.lesson];
  const id = `lesson-${lesson.lesson}`;
  const state = lesson.done ? 'done' : lesson.startedOn === null ? 'new' : 'begun';
  return (
    <section className="card lesson" aria-label={words.title}>
      <h2>
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          <span>{words.title}</span>
          <Badge tone={TONES[state]}>{WORDS.states[state]}</Badge>
        </button>
      </h2>
      <div id={id} className="lesson-body" hidden={!isOpen}>
        {isOpen && (
          <>
            <p>{words.teaches}</p>
            <Cars lesson={lesson} />
            {lesson.startedOn !== null && <Steps lesson={lesson} />}
            {lesson.done && <p role="status">{words.done}</p>}
            <RefusedNotice error={start.error} />
            <p className="row-acts">
              <Button
                look={lesson.startedOn === null ? 'primary' : 'plain'}
                isPending={start.isPending}
                onPress={() => start.mutate(null)}
              >
                {lesson.startedOn === null ? WORDS.start : WORDS.again}
              </Button>
            </p>
          </>
        )}
      </div>
    </section>
  );
}

const TONES = { new: 'neutral', begun: 'caution', done: 'positive' } as const;

function Cars({ lesson: { plate, readAs, otherPlate } }: { lesson: Lesson }) {
  if (plate === null) return null;
  return (
    <dl className="lesson-cars">
      <dt>{otherPlate === null ? WORDS.car : WORDS.firstCar}</dt>
      <dd>
        <PlateSign plate={plate} />
      </dd>
      {readAs !== null && (
        <>
          <dt>{WORDS.readAs}</dt>
          <dd>
            <PlateSign plate={readAs} />
          </dd>
        </>
      )}
      {otherPlate !== null && (
        <>
          <dt>{WORDS.secondCar}</dt>
          <dd>
            <PlateSign plate={otherPlate} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Steps({ lesson }: { lesson: Lesson }) {
  const { title, steps } = WORDS.lessons[lesson.lesson];
  const texts: Readonly<Record<string, { title: string; hint: string } | undefined>> = steps;
  const next = lesson.steps.find(({ done }) => !done)?.step;
  return (
    <Checklist
      label={title}
      items={lesson.steps.map(({ step, isAct, done }) => {
        const place = placeOf(step, lesson);
        return {
          key: step,
          state: done ? 'done' : isAct ? 'to-do' : 'waiting',
          title: texts[step]?.title ?? step,
          text: step === next ? texts[step]?.hint : undefined,
          action:
            place !== null && step === next ? (
              <Link to={place.to} {...(place.search && { search: place.search })}>
                {WORDS.goTo({ room: place.room })}
              </Link>
            ) : undefined,
        };
      })}
    />
  );
}
