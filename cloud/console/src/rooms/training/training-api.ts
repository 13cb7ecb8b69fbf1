import type { trainingRoutes } from '@hlid/cloud/integration/training/training-routes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiOf, read } from '../../calls/api.ts';
import { useSubmit } from '../../ui/use-submit.ts';

const api = apiOf<typeof trainingRoutes>();
const KEY = ['training'];
/** Acts in other rooms, and events at the lanes, show soon. */
const REFETCH_MS = 2000;

const readTraining = () => read(api.training.$get());
export type Training = Awaited<ReturnType<typeof readTraining>>;
export type Lesson = Training['lessons'][number];
export type LessonName = Lesson['lesson'];

export function useTraining() {
  return useQuery({
    queryKey: KEY,
    queryFn: readTraining,
    refetchInterval: ({ state }) => (state.data?.isTraining === false ? false : REFETCH_MS),
  });
}

/** Begins a lesson, or begins it again. */
export function useStart(lesson: LessonName) {
  const queries = useQueryClient();
  return useSubmit(
    (_: null, headers) =>
      read(api.training.lessons[':lesson'].start.$post({ param: { lesson } }, { headers })),
    { invalidates: [], onDone: (training) => queries.setQueryData(KEY, training) },
  );
}
