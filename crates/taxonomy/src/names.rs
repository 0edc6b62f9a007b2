//! The closed lists of agents and providers, with their families.
//!
//! A rule for the head of a family also applies to its members; a rule for a member applies to it alone.
//! Evidence may name an agent or provider that is not listed: it is accepted with a note, and no rule that
//! names agents (or providers) applies to it.

use crate::words;

words! {
    /// Agents and their adapters.
    pub enum Agent {
        /// Anthropic's command line agent.
        ClaudeCode = "claude-code",
        /// The ACP adapter of Claude Code (agent SDK).
        ClaudeAgentAcp = "claude-agent-acp",
        /// The earlier ACP adapter of Claude Code.
        ClaudeCodeAcp = "claude-code-acp",
        /// `OpenAI`'s command line agent.
        Codex = "codex",
        /// The ACP adapter of Codex (TypeScript).
        CodexAcp = "codex-acp",
        /// The ACP adapter of Codex made for Zed (Rust).
        CodexAcpZed = "codex-acp-zed",
        /// `OpenCode`.
        OpenCode = "opencode",
        /// Google's command line agent.
        GeminiCli = "gemini-cli",
        /// Qwen Code, a descendant of Gemini CLI with its own words.
        QwenCode = "qwen-code",
        /// GitHub Copilot's command line agent.
        CopilotCli = "copilot-cli",
        /// Cursor's agent.
        Cursor = "cursor",
        /// Goose.
        Goose = "goose",
        /// Cline.
        Cline = "cline",
        /// Roo Code.
        Roo = "roo",
        /// Aider.
        Aider = "aider",
        /// Amp.
        Amp = "amp",
        /// Factory's Droid.
        Droid = "droid",
        /// Kiro.
        Kiro = "kiro",
        /// `OpenClaw`.
        OpenClaw = "openclaw",
        /// Zed as a host of agents.
        Zed = "zed",
        /// Kimi's command line agent.
        Kimi = "kimi",
        /// Augment's command line agent.
        Auggie = "auggie",
        /// Any command that speaks no known format.
        Generic = "generic",
    }
}

impl Agent {
    /// The head of the family that the agent belongs to: itself, or the agent that it adapts.
    #[must_use]
    pub const fn family(self) -> Self {
        match self {
            Self::ClaudeAgentAcp | Self::ClaudeCodeAcp => Self::ClaudeCode,
            Self::CodexAcp | Self::CodexAcpZed => Self::Codex,
            other => other,
        }
    }

    /// Whether a rule that names `self` applies to evidence of `other`.
    #[must_use]
    pub fn covers(self, other: Self) -> bool {
        self == other || self == other.family()
    }
}

words! {
    /// Providers of models.
    pub enum Provider {
        /// Anthropic's own API.
        Anthropic = "anthropic",
        /// Amazon Bedrock.
        Bedrock = "bedrock",
        /// Google: AI Studio and the Gemini API.
        Google = "google",
        /// Google Vertex AI.
        Vertex = "vertex",
        /// Google's Code Assist.
        CodeAssist = "code-assist",
        /// `OpenAI`'s API.
        OpenAi = "openai",
        /// The `ChatGPT` back end, used by a `ChatGPT` login.
        ChatGpt = "chatgpt",
        /// Azure `OpenAI`.
        AzureOpenAi = "azure-openai",
        /// GitHub Copilot.
        GithubCopilot = "github-copilot",
        /// `OpenCode`'s own gateway (Zen, Go).
        OpenCode = "opencode",
        /// `OpenRouter`.
        OpenRouter = "openrouter",
        /// xAI.
        Xai = "xai",
        /// `DeepSeek`.
        DeepSeek = "deepseek",
        /// Mistral.
        Mistral = "mistral",
        /// Groq.
        Groq = "groq",
        /// Moonshot.
        Moonshot = "moonshot",
        /// Kimi's coding plan at Moonshot.
        Kimi = "kimi",
        /// Z.ai.
        Zai = "zai",
        /// Zhipu, Z.ai's mainland service.
        Zhipu = "zhipu",
        /// `MiniMax`.
        MiniMax = "minimax",
        /// Alibaba `DashScope` (Bailian).
        DashScope = "dashscope",
        /// Qwen's own login.
        Qwen = "qwen",
        /// Cerebras.
        Cerebras = "cerebras",
        /// Together.
        Together = "together",
        /// Fireworks.
        Fireworks = "fireworks",
        /// Ollama.
        Ollama = "ollama",
        /// LM Studio.
        LmStudio = "lmstudio",
        /// vLLM.
        Vllm = "vllm",
        /// Cursor's back end.
        Cursor = "cursor",
        /// Cloudflare's gateway.
        Cloudflare = "cloudflare",
    }
}

impl Provider {
    /// The head of the family that the provider belongs to: itself, or the service whose words it shares.
    #[must_use]
    pub const fn family(self) -> Self {
        match self {
            Self::Vertex | Self::CodeAssist => Self::Google,
            Self::ChatGpt | Self::AzureOpenAi => Self::OpenAi,
            Self::Kimi => Self::Moonshot,
            Self::Zhipu => Self::Zai,
            Self::Qwen => Self::DashScope,
            other => other,
        }
    }

    /// Whether a rule that names `self` applies to evidence of `other`.
    #[must_use]
    pub fn covers(self, other: Self) -> bool {
        self == other || self == other.family()
    }
}
