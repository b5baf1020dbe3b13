import '../forms/draft.ts'
import { followTheme } from '../hooks/theme.ts'
import { explainFailures } from './failures.ts'

// Loaded beside the first page, which needs none of it to be seen.
explainFailures()
followTheme()
