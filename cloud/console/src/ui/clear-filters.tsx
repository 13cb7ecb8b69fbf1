import { COMMON } from '../words/common.ts';
import { Button } from './button.tsx';

/** The way back to the whole list, where something is filtered. */
export function ClearFilters({ isAny, onClear }: { isAny: boolean; onClear: () => void }) {
  if (!isAny) return null;
  return (
    <Button look="quiet" onPress={onClear}>
      {COMMON.clearFilters}
    </Button>
  );
}
