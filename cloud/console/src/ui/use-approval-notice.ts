import type { approvalRoutes } from '@hlid/cloud/paying/approvals/approval-routes';
import { apiOf, read } from '../calls/api.ts';
import { COMMON } from '../words/common.ts';
import { useToasts } from './toasts.tsx';
import { useReload } from './use-submit.ts';

const api = apiOf<typeof approvalRoutes>();

/**
 * The reaction of a dialog where its act waits for a second person: it closes, and the notice informs. Its
 * undo withdraws the request.
 */
export function useApprovalNotice(onClose: () => void): (approvalId: string) => void {
  const toasts = useToasts();
  const reload = useReload();
  return (id) => {
    onClose();
    toasts.done(COMMON.approvalRequested, async () => {
      await read(api.approval[':id'].withdraw.$post({ param: { id } }));
      reload([['approvals']]);
    });
  };
}
