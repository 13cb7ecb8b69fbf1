/** What has been typed so far, with a cursor. Not an input: what the browser keeps of those is somebody's. */
export function TypedField({ label, text, plate = false }: { label: string; text: string; plate?: boolean }) {
  return (
    <p className={`typed ${plate ? 'as-plate' : ''}`}>
      <span className="unseen">{label}: </span>
      <span aria-live="polite">{text}</span>
      <span className="cursor" aria-hidden="true" />
    </p>
  );
}
