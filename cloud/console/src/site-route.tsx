import { useQuery } from '@tanstack/react-query';
import { createRootRoute, createRoute, Navigate, Outlet, useParams } from '@tanstack/react-router';
import { firstStepsQuery, hasFirstSteps, isUnfinished } from './shell/first-steps.ts';
import { lazyPage } from './shell/lazy-page.ts';
import { startRoom } from './shell/rooms.ts';
import { useSession } from './shell/session.ts';
import { SessionGate } from './shell/session-gate.tsx';
import { EVERY_SITE } from './shell/site.ts';

export const rootRoute = createRootRoute({
  component: () => (
    <SessionGate>
      <Outlet />
    </SessionGate>
  ),
  notFoundComponent: FirstRoom,
});

/** The site that is shown, and all that stands around a room. */
export const siteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$site',
  component: lazyPage([], () => import('./shell/shell.tsx'), 'Shell'),
  notFoundComponent: FirstRoom,
});

/** The start page of a person. An installation without a site begins with its first steps. */
export function FirstRoom() {
  const session = useSession();
  const { site = EVERY_SITE } = useParams({ strict: false });
  const mayBeNew = hasFirstSteps(session);
  const steps = useQuery({ ...firstStepsQuery, enabled: mayBeNew });
  if (mayBeNew && steps.isPending) return null;
  const isNew = steps.data !== undefined && steps.data.siteId === null && isUnfinished(steps.data);
  if (isNew) return <Navigate to={`/${site}/first-steps`} replace />;
  const first = startRoom(session);
  return first ? <Navigate to={`/${site}/${first.path}`} replace /> : null;
}
