import type { BoardState } from '@hlid/edge/local-api/lane-routes';
import { PlateSign } from '@hlid/ui/plate-sign';
import { markAsTraining } from '@hlid/ui/training-mark';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { listenToBoard, nextState } from './link/board-events.ts';
import { DICTIONARY } from './words/words.ts';
import '@hlid/ui/typeface.css';
import '@hlid/ui/tokens.css';
import '@hlid/ui/base.css';
import './display.css';

type Instruction = NonNullable<BoardState['board']['more'][string]['instruction']>;

/** The lane beside which this screen stands. */
const LANE_ID = new URLSearchParams(location.search).get('lane');

/** The instruction for the driver at an exit, in Icelandic and in English. */
function Display() {
  const [state, setState] = useState<BoardState | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    listenToBoard(
      (event) => setState((before) => nextState(before, event)),
      async () => {
        // A screen that shows what was due some time ago would mislead.
        setState(null);
        return true;
      },
      ending.signal,
    );
    return () => ending.abort();
  }, []);
  const isTraining = state?.site.training ?? false;
  useEffect(() => {
    if (isTraining) markAsTraining();
  }, [isTraining]);
  if (state === null) return <p className="name">…</p>;
  const lane = state.board.lanes.find(({ id }) => id === LANE_ID);
  if (!lane) {
    return <p className="name">{DICTIONARY.wordsOf('is').display.noLane({ site: state.site.name })}</p>;
  }
  const instruction = state.board.more[lane.id]?.instruction;
  return instruction ? <Shown {...instruction} /> : <p className="name">{state.site.name}</p>;
}

function Shown({ text, plate, due, payByPhone, helpPhone, question }: Instruction) {
  return (
    <>
      <div className="words">
        <h1>{text.is}</h1>
        <p className="other" lang="en">
          {text.en}
        </p>
        {plate !== null && <PlateSign plate={plate} />}
        {due !== null && <p className="due">{due.text.is}</p>}
        {question !== undefined && (
          <>
            <img className="entry" src={question.picture} alt="" />
            <p>{question.text.is}</p>
            <p className="other" lang="en">
              {question.text.en}
            </p>
          </>
        )}
        {helpPhone !== null && <p className="call">{helpPhone}</p>}
      </div>
      {payByPhone !== null && (
        <div className="phone">
          <svg className="qr" viewBox={`0 0 ${payByPhone.qr.size} ${payByPhone.qr.size}`} aria-hidden="true">
            <path d={payByPhone.qr.path} />
          </svg>
          <p className="address">{payByPhone.address}</p>
        </div>
      )}
    </>
  );
}

async function start(): Promise<void> {
  await DICTIONARY.loadSurely('is');
  const place = document.getElementById('display');
  if (place === null) throw new Error('The document has no place for the display.');
  createRoot(place).render(<Display />);
}

void start();
