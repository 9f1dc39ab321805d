package dev.syncguard.rules.syntax;

import java.util.List;

/** {@code match path}: what is allowed there, and further matches below. */
public record MatchBlock(
    SourceRange range,
    List<PatternSegment> pattern,
    List<AllowStatement> allows,
    List<FunctionDeclaration> functions,
    List<MatchBlock> matches) {}
