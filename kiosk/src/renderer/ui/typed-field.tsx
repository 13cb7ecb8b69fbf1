/** The typed text, with a cursor. It is not an input: a browser stores a person's inputs. */
export function TypedField({ label, text, plate = false }: { label: string; text: string; plate?: boolean }) {
  return (
    <p className={`typed ${plate ? 'as-plate' : ''}`}>
      <span className="unseen">{label}: </span>
      <span aria-live="polite">{text}</span>
      <span className="cursor" aria-hidden="true" />
    </p>
  );
}
