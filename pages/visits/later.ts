import '../forms/draft.ts'
import { followTheme } from '../hooks/theme.ts'
import { explainFailures } from './failures.ts'

// Loaded alongside the first page, which can be shown without it.
explainFailures()
followTheme()
