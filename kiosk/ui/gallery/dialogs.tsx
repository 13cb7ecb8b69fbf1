import { useState } from 'react';
import { Dialog } from '../src/dialog.tsx';
import { Part } from './part.tsx';

export function Dialogs() {
  const [shown, show] = useState<'normal' | 'urgent' | null>(null);
  const close = () => show(null);
  return (
    <Part title="Dialogs">
      <div className="row">
        <button type="button" className="button" onClick={() => show('normal')}>
          Open a dialog
        </button>
        <button type="button" className="button" onClick={() => show('urgent')}>
          Open an urgent dialog
        </button>
      </div>
      {shown && (
        <Dialog title="Void this visit?" urgent={shown === 'urgent'} onClose={close}>
          <p>Nothing is charged for it then.</p>
          <div className="row">
            <button type="button" className="button primary" onClick={close}>
              Void
            </button>
            <button type="button" className="button" onClick={close}>
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </Part>
  );
}
