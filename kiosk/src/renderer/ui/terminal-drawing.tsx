import type { KioskPayment } from '@hlid/protocol/pages/kiosk-api';

export type Drawn = NonNullable<KioskPayment['prompt']>;

/** The card terminal and what to do with it; the prompt beside it has the same in words. */
export function TerminalDrawing({ drawn, amount }: { drawn: Drawn; amount: string }) {
  return (
    <svg className="terminal" data-prompt={drawn} viewBox="0 -16 400 456" aria-hidden="true">
      <g className="waves">
        <path d="M160 62a56 56 0 0 1 80 0" />
        <path d="M140 40a86 86 0 0 1 120 0" />
        <path d="M120 18a116 116 0 0 1 160 0" />
      </g>
      <g className="bank-card high">
        <rect width="150" height="94" rx="12" />
        <path className="stripe" d="M0 20h150v18H0z" />
        <rect className="chip" x="16" y="50" width="26" height="20" rx="4" />
      </g>
      <g className="bank-card low">
        <rect width="150" height="94" rx="12" />
        <rect className="chip" x="62" y="12" width="26" height="20" rx="4" />
        <path className="stripe" d="M0 60h150v16H0z" />
      </g>
      <rect className="case" x="110" y="92" width="180" height="282" rx="26" />
      <rect className="slot" x="136" y="362" width="128" height="8" rx="4" />
      <rect className="glass" x="128" y="112" width="144" height="96" rx="10" />
      <path className="arrow in" d="M330 424v-64m-24 26l24-26 24 26" />
      <path className="arrow out" d="M330 360v64m-24-26l24 26 24-26" />
      <text className="sum" x="200" y="168" textAnchor="middle">
        {amount}
      </text>
      <g className="stars">
        <circle cx="164" cy="162" r="7" />
        <circle cx="188" cy="162" r="7" />
        <circle cx="212" cy="162" r="7" />
        <circle cx="236" cy="162" r="7" />
      </g>
      <g className="dots">
        <circle cx="172" cy="160" r="8" />
        <circle cx="200" cy="160" r="8" />
        <circle cx="228" cy="160" r="8" />
      </g>
      <path className="yes" d="M172 162l19 19 38-40" />
      <path className="no" d="M180 142l40 40m0-40l-40 40" />
      <g className="pad">
        {[0, 1, 2, 3].map((row) =>
          [0, 1, 2].map((column) => (
            <rect
              key={`${row}-${column}`}
              x={134 + column * 46}
              y={226 + row * 30}
              width="40"
              height="22"
              rx="6"
            />
          )),
        )}
        <rect className="confirm" x="226" y="316" width="40" height="22" rx="6" />
      </g>
    </svg>
  );
}
