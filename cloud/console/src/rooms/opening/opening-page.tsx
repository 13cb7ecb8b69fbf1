import { Badge, type Tone } from '@hlid/ui/badge';
import { Link, useNavigate } from '@tanstack/react-router';
import { Check, CircleDashed, Hourglass, type LucideIcon, Minus, TriangleAlert } from 'lucide-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { type Site, useSite, useSiteId } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Empty, Loading, RefusedNotice } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { CamerasStep } from './cameras-step.tsx';
import { EnrolmentStep } from './enrolment-step.tsx';
import { GatesStep, LanesStep, TerminalStep } from './gateway-steps.tsx';
import {
  type Answer,
  type Opening,
  type OpeningStep,
  type StepName,
  type StepProps,
  useAnswer,
  useOpening,
  useWithdraw,
} from './opening-api.ts';
import { WORDS } from './opening-words.ts';
import { AboutStep, EdgeStep, SellerStep, ZonesStep } from './site-steps.tsx';
import { SignsStep, TariffStep } from './tariff-steps.tsx';
import './opening.css';

/** The steps that open a site, each with its form or with what is known of it now. */
export function OpeningPage() {
  const siteId = useSiteId();
  const site = useSite();
  if (siteId === null) {
    return (
      <Empty title={WORDS.chooseSite}>
        <p>{WORDS.chooseSiteHint}</p>
      </Empty>
    );
  }
  // A site that was made a moment ago is known in a moment.
  return site === null ? <Loading /> : <OpeningOf key={site.id} site={site} />;
}

function OpeningOf({ site }: { site: Site }) {
  const query = useOpening(site.id);
  return (
    <Page
      title={WORDS.title({ site: site.name })}
      isWide={false}
      actions={<BackLink to={`/${site.id}/sites`}>{WORDS.toSettings}</BackLink>}
    >
      <p>{WORDS.intro}</p>
      <QueryView query={query} lines={10}>
        {(opening) => <Steps site={site} opening={opening} />}
      </QueryView>
    </Page>
  );
}

function isOver({ state }: OpeningStep): boolean {
  return state === 'done' || state === 'skipped';
}

function Steps({ site, opening }: { site: Site; opening: Opening }) {
  const { steps } = opening;
  const { filters } = useFilters();
  const navigate = useNavigate();
  // A step that is done elsewhere does not change the page: the person goes on.
  const [first] = useState(() => (steps.find((step) => !isOver(step)) ?? steps.at(-1))?.step);
  const shown = filters['step'] ?? first;
  const [moved, setMoved] = useState<StepName | null>(null);
  const goTo = (step: StepName) => {
    setMoved(step);
    show(step);
  };
  // The page stays where it is, and scrolls only as far as the step needs it.
  const show = (step: StepName | 'none') =>
    void navigate({ to: '.', search: { ...filters, step }, replace: true, resetScroll: false });
  const done = steps.filter(isOver).length;
  return (
    <>
      <p className="opening-progress">
        <progress max={steps.length} value={done} aria-hidden="true" />
        <span role="status">{WORDS.progress({ done, total: steps.length })}</span>
      </p>
      <ol className="opening-steps">
        {steps.map((step, place) => (
          <StepItem
            key={step.step}
            step={step}
            isOpen={step.step === shown}
            hasMovedHere={step.step === moved}
            onToggle={() => (step.step === shown ? show('none') : goTo(step.step))}
          >
            <StepPanel
              site={site}
              opening={opening}
              step={step}
              next={[...steps.slice(place + 1), ...steps.slice(0, place)].find((one) => !isOver(one)) ?? null}
              goTo={goTo}
            />
          </StepItem>
        ))}
      </ol>
    </>
  );
}

const ICONS: Readonly<Record<OpeningStep['state'], LucideIcon>> = {
  'to-do': CircleDashed,
  waiting: Hourglass,
  done: Check,
  skipped: Minus,
  again: TriangleAlert,
};
const TONES: Readonly<Record<OpeningStep['state'], Tone>> = {
  'to-do': 'neutral',
  waiting: 'caution',
  done: 'positive',
  skipped: 'neutral',
  again: 'negative',
};

function StepItem({
  step: { step, state, reason },
  isOpen,
  hasMovedHere,
  onToggle,
  children,
}: {
  step: OpeningStep;
  isOpen: boolean;
  /** The person came here by a button of this page. */
  hasMovedHere: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  const head = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen || !hasMovedHere) return;
    head.current?.focus();
    head.current?.closest('li')?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, hasMovedHere]);
  // A step that is folded again keeps what was typed into it.
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  const Icon = ICONS[state];
  const id = `step-${step}`;
  return (
    <li className={isOpen ? 'opening-step open' : 'opening-step'}>
      <h2>
        <button ref={head} type="button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          <Icon size={16} aria-hidden="true" className={`opening-icon ${state}`} />
          <span>{WORDS.steps[step].title}</span>
          <Badge tone={TONES[state]}>{WORDS.states[state]}</Badge>
        </button>
      </h2>
      <div id={id} className="form opening-panel" hidden={!isOpen}>
        {wasOpened && (
          <>
            <p>{WORDS.steps[step].why}</p>
            <p role="status" className={state === 'again' ? 'notice negative' : 'opening-reason'}>
              {WORDS.reasons[reason]}
            </p>
            {children}
          </>
        )}
      </div>
    </li>
  );
}

/** Loaded when they are opened. */
const KioskStep = lazy(async () => ({ default: (await import('./kiosk-step.tsx')).KioskStep }));

const TestCarStep = lazy(async () => ({ default: (await import('./test-car-step.tsx')).TestCarStep }));

const PANELS: Readonly<Record<StepName, ComponentType<StepProps>>> = {
  about: AboutStep,
  zones: ZonesStep,
  seller: SellerStep,
  edge: EdgeStep,
  enrolment: EnrolmentStep,
  cameras: CamerasStep,
  lanes: LanesStep,
  gates: GatesStep,
  terminal: TerminalStep,
  tariff: TariffStep,
  signs: SignsStep,
  kiosk: KioskStep,
  'test-car': TestCarStep,
  live: LiveStep,
};

/** The acts of a step, the answer of a person, and the way on. */
function StepPanel({
  site,
  opening,
  step,
  next,
  goTo,
}: {
  site: Site;
  opening: Opening;
  step: OpeningStep;
  next: OpeningStep | null;
  goTo: (step: StepName) => void;
}) {
  const Content = PANELS[step.step];
  const answer = useAnswer(site.id, step.step);
  const withdraw = useWithdraw(site.id, step.step);
  return (
    <>
      <Suspense fallback={<Loading />}>
        <Content siteId={site.id} opening={opening} step={step} />
      </Suspense>
      {step.answered && (
        <p className="row-acts">
          <span className="quiet-text">
            {WORDS.answeredBy({
              answer: WORDS.answers[step.answered.answer],
              name: step.answered.byName ?? step.answered.by,
            })}
            , <Moment at={step.answered.on} timeZone={site.timeZone} />
          </span>
          <Button look="quiet" isPending={withdraw.isPending} onPress={() => withdraw.mutate(null)}>
            {WORDS.withdraw}
          </Button>
        </p>
      )}
      <RefusedNotice error={answer.error ?? withdraw.error} />
      <footer className="row-acts">
        {step.accepts.map((one) => {
          const label = answerLabel(step.step, one);
          if (label === null) return null;
          return (
            <Button
              key={one}
              look={one === 'skipped' ? 'plain' : 'primary'}
              isPending={answer.isPending && answer.variables?.answer === one}
              onPress={() => answer.mutate({ answer: one })}
            >
              {label}
            </Button>
          );
        })}
        {next && step.state !== 'to-do' && (
          <Button look={isOver(step) ? 'primary' : 'plain'} onPress={() => goTo(next.step)}>
            {WORDS.goOn({ step: WORDS.steps[next.step].title })}
          </Button>
        )}
      </footer>
    </>
  );
}

/** The text of the button of an answer; null: the step has a control of its own for it. */
function answerLabel(step: StepName, answer: Answer): string | null {
  if (answer === 'begun' || answer === 'with-edge' || answer === 'without-edge') return null;
  const texts = WORDS.steps[step];
  if (answer === 'skipped') return 'skip' in texts ? texts.skip : null;
  return 'accept' in texts ? texts.accept : null;
}

function LiveStep({ siteId, opening }: StepProps) {
  return (
    <>
      <h3>{WORDS.live.summary}</h3>
      <ul className="opening-summary">
        {opening.steps
          .filter(({ step }) => step !== 'live')
          .map(({ step, state }) => {
            const Icon = ICONS[state];
            return (
              <li key={step}>
                <Icon size={14} aria-hidden="true" className={`opening-icon ${state}`} />
                <span>{WORDS.steps[step].title}</span>
                <span className="quiet-text">{WORDS.states[state]}</span>
              </li>
            );
          })}
      </ul>
      <p>
        <Link to={`/${siteId}/now`}>{WORDS.live.toNow}</Link>
      </p>
    </>
  );
}
