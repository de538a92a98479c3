"""Which of several judges, prompts, thresholds or panels should be used?"""
