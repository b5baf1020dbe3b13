import '../forms/draft.ts'
import { followTheme } from '../hooks/theme.ts'

// Loaded alongside the first page, which can be shown without it.
followTheme()
