/**
 * A barrier with an arm that the style sheet lifts, by the state of its gate. The text beside it has the
 * meaning.
 */
export function Barrier({ state }: { state: string }) {
  return (
    <svg className="barrier" data-gate={state} viewBox="0 0 52 42" aria-hidden="true">
      <rect className="post" x="3" y="25" width="8" height="16" rx="1.5" />
      <g className="arm">
        <rect x="5" y="26" width="44" height="5" rx="2.5" />
        <path d="M15 26.5h7v4h-7zM29 26.5h7v4h-7zM43 26.5h3a2 2 0 0 1 0 4h-3z" />
      </g>
    </svg>
  );
}
